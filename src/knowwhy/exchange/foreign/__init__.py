"""Files of other memories, each read into observations, and what of them could not be mapped."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from knowwhy.exchange.foreign.chat import chat
from knowwhy.exchange.foreign.entry import Mapped, Unmapped
from knowwhy.exchange.foreign.langgraph import langgraph
from knowwhy.exchange.foreign.markdown import markdown
from knowwhy.exchange.foreign.mcp import mcp
from knowwhy.exchange.foreign.mem0 import mem0
from knowwhy.exchange.foreign.zep import zep

__all__ = ["READERS", "Mapped", "Unmapped"]

READERS: Final[Mapping[str, Callable[[Path], Iterator[Mapped | Unmapped]]]] = {
    "mcp": mcp,
    "chat": chat,
    "markdown": markdown,
    "mem0": mem0,
    "zep": zep,
    "langgraph": langgraph,
}
