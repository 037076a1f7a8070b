"""Posting: one question to an endpoint that takes and gives JSON, and what may go wrong with that."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Final

from knowwhy.errors import Fault, InvalidInput, Unavailable

TIMEOUT: Final = 30.0
_TOO_MANY: Final = 429
_SERVER: Final = 500


@dataclass(frozen=True, slots=True)
class Desk:
    """Where to ask: the address, and the key, which is never shown. `who` is what errors call it."""

    url: str
    who: str
    gives: str
    key: str | None = field(default=None, repr=False)
    timeout: float = TIMEOUT

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What the endpoint answers.

        Raises:
            Unavailable: it cannot answer now.
            InvalidInput: it refuses the request.
            Fault: its answer is something else.
        """
        import http.client
        import urllib.error
        import urllib.request

        headers = {"Content-Type": "application/json"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(  # noqa: S310 - the address is checked when it is given
            self.url, json.dumps(asked).encode(), headers
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as reply:  # noqa: S310 - the same
                answer = json.load(reply)
        except urllib.error.HTTPError as failure:
            failure.close()
            if failure.code == _TOO_MANY or failure.code >= _SERVER:
                raise self._unavailable(f"answered {failure.code}") from failure
            raise InvalidInput(
                f"{self.url} refused the request with {failure.code}; look at the model and the key."
            ) from failure
        except (OSError, http.client.HTTPException) as failure:
            raise self._unavailable("cannot be reached") from failure
        except ValueError as failure:
            raise Fault(f"{self.url} did not answer in JSON; is it the right address?") from failure
        if not isinstance(answer, dict):
            raise self.wrong()
        return answer

    def wrong(self) -> Fault:
        """The error for an answer that holds something else."""
        return Fault(f"{self.url} did not answer with {self.gives}; is it the right address?")

    def _unavailable(self, says: str) -> Unavailable:
        return Unavailable(f"The {self.who} at {self.url} {says}. Try again.", retry_after=5.0)


def address(url: str, ending: str) -> str:
    """The address that ends so, of an address or of the root that has it.

    Raises:
        InvalidInput: no http address.
    """
    if not url.startswith(("http://", "https://")):
        msg = f"{url!r} is no address of an endpoint; it begins with http:// or https://."
        raise InvalidInput(msg)
    root = url.rstrip("/")
    return root if root.endswith(ending) else f"{root}{ending}"
