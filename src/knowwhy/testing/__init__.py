"""For people who add a store: the suite it must pass, records that fit together, and a workload.

Needs pytest and hypothesis. Nothing else in knowwhy imports this package.
"""

import pytest

# Before the first import, or a failing assertion would not say what was compared.
pytest.register_assert_rewrite("knowwhy.testing.suite")

from knowwhy.testing.store_suite import StoreSuite  # noqa: E402
from knowwhy.testing.workload import Workload  # noqa: E402

__all__ = ["StoreSuite", "Workload"]
