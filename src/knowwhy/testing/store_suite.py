"""The store suite: what every store must do, for those who add one.

    class TestMyStore(StoreSuite):
        def create(self, folder: Path) -> Store:
            return MyStore(folder / "memory")

        def reopen(self, store: Store, folder: Path) -> Store:
            store.close()
            return MyStore(folder / "memory")

Each test names a sentence of `knowwhy.store.protocol`. Nothing is skipped: a store that does less is
not a store.
"""

from __future__ import annotations

from knowwhy.testing.suite.answering import Answering
from knowwhy.testing.suite.committing import Committing, Versions
from knowwhy.testing.suite.declaring import Declaring
from knowwhy.testing.suite.isolating import Isolation, Racing
from knowwhy.testing.suite.nearing import Beside, Nearing
from knowwhy.testing.suite.reading import Believing, Reading, Testifying
from knowwhy.testing.suite.resting import Deciding, Leaning, Standing
from knowwhy.testing.suite.searching import Searching, Viewing
from knowwhy.testing.suite.withdrawing import Dropping, Until, Withdrawing


class StoreSuite(
    Committing,
    Versions,
    Isolation,
    Racing,
    Reading,
    Declaring,
    Testifying,
    Believing,
    Leaning,
    Deciding,
    Standing,
    Searching,
    Viewing,
    Nearing,
    Beside,
    Answering,
    Withdrawing,
    Until,
    Dropping,
):
    """All tests of a store; a subclass says how to `create` one, and how to `reopen` it if it lasts."""
