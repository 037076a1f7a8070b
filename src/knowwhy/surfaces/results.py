"""What a verb gave, as one document for programs elsewhere, and in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from knowwhy.engine.memory import Memory


def document(result: Any) -> Any:  # noqa: ANN401 - whatever a verb gives
    """The result as JSON can say it."""
    if isinstance(result, Memory):
        space = result._space  # noqa: SLF001 - a memory is told by the branch that it is on
        return {"branch": space.branch.name if space.branch else None}
    if hasattr(result, "as_dict"):
        return result.as_dict()
    if isinstance(result, dict):
        return {key: document(one) for key, one in result.items()}
    if isinstance(result, Sequence) and not isinstance(result, str):
        return [document(one) for one in result]
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return dataclasses.asdict(result)
    return result


def words(result: Any) -> str:  # noqa: ANN401 - whatever a verb gives
    """The result in sentences, as it prints itself; each of several on lines of its own."""
    if result is None or isinstance(result, Memory):
        return ""
    if isinstance(result, dict):
        return "\n".join(f"{key}: {one}" for key, one in result.items())
    if isinstance(result, Sequence) and not isinstance(result, str):
        return "\n".join(map(words, result))
    return str(result)
