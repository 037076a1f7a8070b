"""What a tool tells: one JSON document within a token budget, and every failure with what to do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec

from mcp.server.mcpserver.exceptions import ToolError

from knowwhy.errors import InvalidInput, KnowwhyError
from knowwhy.recall.packing import estimated_tokens
from knowwhy.recall.rendering import quoted

# How long an answer may be where the caller does not say.
MAX_TOKENS: Final = 2000

Asked = ParamSpec("Asked")


def document(told: dict[str, Any], max_tokens: int) -> str:
    """The document as JSON; its longest list loses whole items from the end until it fits.

    How many were left out is told. Stored text stands only inside JSON strings, which it cannot leave.

    Raises:
        InvalidInput: what is no list alone is longer than that.
    """
    written = fitting(told, max_tokens)
    if (due := estimated_tokens(written)) > max_tokens:
        msg = f"The answer takes {due} tokens, more than max_tokens={max_tokens}: ask with more."
        raise InvalidInput(msg, tokens=due)
    return written


def fitting(told: dict[str, Any], max_tokens: int) -> str:
    """The document as JSON, as short as leaving out items of lists makes it, and at the most so long."""
    kept = {name: list(one) if isinstance(one, list | tuple) else one for name, one in told.items()}
    left_out = 0
    while (
        estimated_tokens(written := quoted(kept | ({"left_out": left_out} if left_out else {}))) > max_tokens
    ):
        lists = [one for one in kept.values() if isinstance(one, list) and one]
        if not lists:
            break
        longest = max(lists, key=len)
        gone = max(len(longest) // 4, 1)
        del longest[-gone:]
        left_out += gone
    return written


def failing_in_words(tool: Callable[Asked, str]) -> Callable[Asked, str]:
    """The tool, whose errors reach the caller as tool errors: code, message, details."""

    @wraps(tool)
    def called(*args: Asked.args, **kwargs: Asked.kwargs) -> str:
        try:
            return tool(*args, **kwargs)
        except KnowwhyError as error:
            raise ToolError(quoted(error.as_dict())) from error

    return called
