"""What a failed call answers: the error's own status, and a document that says what to do."""

from __future__ import annotations

import logging
import math
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from knowwhy.errors import (
    Fault,
    InvalidInput,
    KnowwhyError,
    NoKey,
    NotFound,
    TooLarge,
    TooMuch,
    VersionConflict,
)

PRECONDITION_FAILED: Final = 412
MEDIA_TYPE: Final = "application/problem+json"

# Where the protocol tells apart what is one category for us.
_FINER: Final = {NoKey.code: 401, TooLarge.code: 413, TooMuch.code: 429}

_LOG: Final = logging.getLogger("knowwhy.http")


def answer(error: KnowwhyError, *, is_conditional: bool = False) -> JSONResponse:
    """The response to a failed call; where a condition of the caller's own (If-Match) failed, it says so."""
    status = _FINER.get(error.code, error.status)
    if is_conditional and isinstance(error, VersionConflict):
        status = PRECONDITION_FAILED
    wait = error.details.get("retry_after")
    headers = {"Retry-After": str(max(1, math.ceil(wait)))} if isinstance(wait, int | float) else {}
    if isinstance(error, NoKey):
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse({**error.as_dict(), "status": status}, status, headers, media_type=MEDIA_TYPE)


def enter(app: FastAPI) -> None:
    """Have a service answer every failure in this form."""

    @app.exception_handler(KnowwhyError)
    def _own(request: Request, error: KnowwhyError) -> JSONResponse:
        return answer(error, is_conditional="if-match" in request.headers)

    @app.exception_handler(RequestValidationError)
    def _malformed(_request: Request, error: RequestValidationError) -> JSONResponse:
        problems = [_problem(one) for one in error.errors()]
        told = "; ".join(f"{one['at']}: {one['problem']}" for one in problems)
        return answer(InvalidInput(f"The request cannot be understood: {told}.", problems=problems))

    @app.exception_handler(HTTPException)
    def _unrouted(request: Request, error: HTTPException) -> JSONResponse:
        known: KnowwhyError = NotFound(f"There is nothing at {request.url.path}; see /docs.")
        if error.status_code != NotFound.status:
            known = InvalidInput(f"{error.detail}; see /docs.")
        response = answer(known)
        response.status_code = error.status_code
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    def _unforeseen(_request: Request, error: Exception) -> JSONResponse:
        _LOG.error("a defect of knowwhy: %s", type(error).__name__, exc_info=error)
        return answer(Fault(f"A defect of knowwhy, {type(error).__name__}. Please report it."))


def _problem(one: dict[str, Any]) -> dict[str, str]:
    place = ".".join(str(part) for part in one["loc"] if part not in ("body", "query"))
    return {"at": place or "body", "problem": str(one["msg"])}
