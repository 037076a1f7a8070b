"""The service keeps to its own description, whatever it is called with."""

from __future__ import annotations

import os
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

import knowwhy
from knowwhy.surfaces.http import Hosted, application
from tests.laws.effort import share_of
from tests.surfaces.http.conftest import Service

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
# Waits for what may never come, or looks at everything: these are called once each elsewhere.
SLOW = {"changes", "work", "rebuild", "doctor"}
EXAMPLES = int(os.environ.get("KNOWWHY_CALLS") or share_of(2))


_app = application(Hosted({"main": knowwhy.open()}))
schema = (
    schemathesis.openapi.from_dict(_app.openapi())
    .exclude(operation_id=sorted(SLOW))
    .exclude(path_regex="/stream$")
)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.generate],
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_asked_is_answered_as_described(case: schemathesis.Case[Any], empty: Service) -> None:
    if "memory" in case.path_parameters:
        case.path_parameters["memory"] = "main"
    case.call_and_validate(base_url=empty.url, checks=CHECKS)
