"""Every error knowwhy raises, grouped by what the caller should do about it.

A contradiction, an empty recall and evidence without claims are values, never errors. Whatever is
raised here was raised before anything was written: a failed call leaves the memory as it was.
"""

from __future__ import annotations

from typing import ClassVar


class KnowwhyError(Exception):
    """The root of all errors of this package; never raised itself."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 70

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.message = message
        self.details = details

    def as_dict(self) -> dict[str, object]:
        """The error as every door shows it: code, message and details."""
        return {"error": self.code, "message": self.message, "details": self.details}


class InvalidInput(KnowwhyError):
    """The call cannot be understood: change the call."""

    code = "invalid_input"
    status = 422
    exit_code = 2


class Malformed(InvalidInput):
    """An evaluation set cannot be understood: mend the file at `details["line"]`."""

    code = "malformed_set"


class NaiveTime(InvalidInput):
    """A time was given without a zone: add one, or declare the memory's zone."""

    code = "naive_time"


class AmbiguousName(InvalidInput):
    """A name stands for several entities: name one by its id."""

    code = "ambiguous_name"


class AmbiguousTarget(InvalidInput):
    """Words can mean several things to act on: choose one of `details["candidates"]` by its evidence."""

    code = "ambiguous_target"


class TypeMismatch(InvalidInput):
    """A claim does not fit the declared type of its attribute: correct the claim or the declaration."""

    code = "type_mismatch"


class TooLarge(InvalidInput):
    """More than is taken at once: send it in parts."""

    code = "too_large"


class NotFound(KnowwhyError):
    """What was named does not exist here."""

    code = "not_found"
    status = 404
    exit_code = 3


class BeyondHorizon(NotFound):
    """What was known at that time was dropped for good: ask for a later time, see `details["horizon"]`."""

    code = "beyond_horizon"


class Conflict(KnowwhyError):
    """The memory moved on since it was read: read again, then decide again."""

    code = "conflict"
    status = 409
    exit_code = 4


class VersionConflict(Conflict):
    """The belief has a newer version than the one expected; `details["current_version"]` names it."""

    code = "version_conflict"


class IdempotencyConflict(Conflict):
    """The idempotency key was used before for a different request: choose a new key."""

    code = "idempotency_conflict"


class RestedOn(Conflict):
    """Later operations rest on what is to be undone, see `details["operations"]`: undo them too."""

    code = "rested_on"


class Refused(KnowwhyError):
    """A rule or a permission forbids it."""

    code = "refused"
    status = 403
    exit_code = 5


class NoKey(Refused):
    """The call has no key, or one that is not in force: send `Authorization: Bearer KEY`."""

    code = "no_key"


class UndeclaredAttribute(Refused):
    """A strict memory takes only declared attributes: declare it first."""

    code = "undeclared_attribute"


class NotInSource(Refused):
    """A claim quotes words that its evidence does not contain."""

    code = "not_in_source"


class Unavailable(KnowwhyError):
    """The store cannot serve now: wait `details["retry_after"]` seconds and try again."""

    code = "unavailable"
    status = 503
    exit_code = 6


class TooMuch(Unavailable):
    """More than one caller may ask for at once: wait `details["retry_after"]` seconds."""

    code = "too_much"


class UnusableAnswer(Unavailable):
    """A model's answer could not be used, not even mended: try again later, or with another model."""

    code = "unusable_answer"


class Unsupported(KnowwhyError):
    """This store or this version cannot do it."""

    code = "unsupported"
    status = 501
    exit_code = 7


class NewerFormat(Unsupported):
    """The file was written by a newer knowwhy: upgrade the package to open it."""

    code = "newer_format"


class Fault(KnowwhyError):
    """A defect of knowwhy or a damaged file: please report it."""

    code = "fault"
    status = 500
    exit_code = 70
