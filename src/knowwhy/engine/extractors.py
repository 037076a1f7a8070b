"""Extractors by name: rules, a model that the environment names, or what a package offers."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Final

from knowwhy import settings
from knowwhy.errors import InvalidInput, NotFound
from knowwhy.ingest.extraction import DeterministicExtractor
from knowwhy.ingest.modelled import ModelExtractor
from knowwhy.providers.cache import AnswerCache
from knowwhy.providers.endpoint import Endpoint
from knowwhy.providers.extraction import Extractor

RULES: Final = "rules"
MODEL: Final = "model"
GROUP: Final = "knowwhy.extractors"


def extractor_named(name: str) -> Extractor:
    """The extractor of a name.

    What a package offers is called without arguments, and gives an extractor.

    Raises:
        NotFound: there is none of that name.
        InvalidInput: no endpoint is set, or what the package gives reads nothing.
    """
    if name == RULES:
        return DeterministicExtractor()
    if name == MODEL:
        return modelled(settings.read())
    offered = {one.name: one for one in entry_points(group=GROUP)}
    if name not in offered:
        known = ", ".join([RULES, MODEL, *sorted(offered)])
        msg = f"There is no extractor named {name!r}; there are: {known}."
        raise NotFound(msg, extractor=name)
    made = offered[name].load()()
    if not callable(getattr(made, "extract", None)) or not isinstance(getattr(made, "name", None), str):
        msg = f"What {offered[name].value} gives is no extractor: it needs a name and a method extract."
        raise InvalidInput(msg)
    extractor: Extractor = made
    return extractor


def modelled(given: settings.Settings) -> ModelExtractor:
    """The extractor with the model that settings name.

    Raises:
        InvalidInput: they name no endpoint, or no model.
    """
    if given.model_url is None or given.model is None:
        msg = (
            "To read words with a model, set KNOWWHY_MODEL_URL (such as http://localhost:8080/v1) and "
            "KNOWWHY_MODEL (its name there), and KNOWWHY_MODEL_KEY where a key is needed."
        )
        raise InvalidInput(msg)
    url, key, constrain = given.model_url, given.model_key, given.model_constrain
    large = (
        None if given.model_large is None else Endpoint(url, given.model_large, key=key, constrain=constrain)
    )
    return ModelExtractor(
        Endpoint(url, given.model, key=key, constrain=constrain),
        large=large,
        cache=AnswerCache(given.model_cache),
    )
