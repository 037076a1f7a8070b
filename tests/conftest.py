"""How hard the laws are searched: the environment variable HYPOTHESIS_PROFILE chooses a profile."""

import os

from hypothesis import Phase, settings

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("ci", deadline=None, max_examples=60)
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
