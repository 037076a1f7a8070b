"""Small talk: sentences that say nothing to remember."""

from __future__ import annotations

import re
from typing import Final

from knowwhy.ingest.plain import plain
from knowwhy.recall.expressions import expression

_FILLER: Final = expression(
    r"""\W*(?:(?:hi|hello|hey|good\ (?:morning|afternoon|evening|night)
      |thanks?(?:\ (?:you|a\ lot|so\ much|again))?|thank\ you(?:\ (?:very|so)\ much)?
      |ok(?:ay)?|sure|great|cool|nice|perfect|awesome|got\ it|i\ see|understood|bye|goodbye
        |see\ you(?:\ (?:later|soon|tomorrow))?|welcome|you're\ welcome
      |yes|yep|yeah|no|nope|please|sorry|no\ problem|never\ mind|lol|haha+|hm+|right|exactly|of\ course
        |sounds\ good|will\ do|how\ are\ you|there|all
      |everyone|and|then|very\ much|well\ done|no\ worries|have\ a\ (?:nice|good|great)\ (?:day|weekend|one
        |evening))(?:\W+|$))+$
      | [\s,。!?~]*(?:(?:你好|您好|大家好|嗨|哈喽|早上好|下午好|晚上好|早安|晚安|谢谢(?:大家)?|多谢|感谢
        |好的|好|行|可以|没问题|没事|明白|知道
      |收到|了解|嗯|哦|对的|对|是的|不客气|再见|拜拜|辛苦|哈|呵|在吗|ok|太好|不错|麻烦|打扰|不好意思|对不起
        |抱歉)[\s,。!?~啊呀吧呢了你您]*+)+$""",
    re.VERBOSE,
)
_LONGEST: Final = 80


def is_filler(text: str) -> bool:
    """Whether a sentence is a greeting, thanks, or the like."""
    return len(text) <= _LONGEST and _FILLER.match(plain(text)) is not None
