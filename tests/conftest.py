"""How hard the laws are searched, and what is cleaned up after each test and at the end of all.

The environment variable HYPOTHESIS_PROFILE chooses a profile.
"""

import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import Phase, settings

settings.register_profile("default", deadline=None, max_examples=100)
# One commit gives one result; what is new is looked for by the default and the thorough profile.
settings.register_profile("ci", deadline=None, max_examples=20, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, max_examples=1000)
# Whether a mutant is caught must not depend on luck, nor on failures remembered from other mutants; and
# one failure is enough, however long.
settings.register_profile(
    "mutants",
    deadline=None,
    max_examples=250,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(autouse=True)
def _databases_are_swept() -> Iterator[None]:
    yield
    # Only tests that need a server import it.
    if (servers := sys.modules.get("tests.servers")) is not None:
        servers.sweep()


@pytest.fixture(autouse=True, scope="session")
def _servers_are_stopped() -> Iterator[None]:
    yield
    if (servers := sys.modules.get("tests.servers")) is not None:
        servers.stop()
