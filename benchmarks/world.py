"""A made-up world of any size: subjects with changing values, what sources said of them, and questions.

Everything follows from the seed. A third of it is Chinese. Words are as unevenly common as in real texts,
which is what the cost of a full-text search depends on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate, product
from typing import Final

from knowwhy import Memory, Observation

SEED: Final = 20_251
FEWEST, MOST = 2, 5
_FIRST_DAY: Final = datetime(2021, 1, 1, tzinfo=UTC)
_DAYS: Final = 1_500
# How long a value is spoken of; what follows it comes after.
_SPAN: Final = _DAYS // 3
_SUBJECT_ATTRIBUTES: Final = 5
_CHINESE_SHARE: Final = 1 / 3
# How often a slot has a second value, which came later and stands now.
_CHANGED_SHARE: Final = 1 / 4


def _cut(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_FORMS: Final = _cut(
    "amber basalt cedar delta ember fjord garnet harbour indigo juniper kestrel lagoon maple"
)
_THINGS: Final = _cut("router pump clinic bridge ledger turbine archive kiln ferry depot lathe sensor mill")
_ZH_PLACES: Final = _cut("青石 云川 临江 白鹭 长岭 南塘 东湾 双溪 平湖 西坪 金沙 柳林 石门")
_ZH_THINGS: Final = _cut("水泵 诊所 大桥 账本 风机 档案馆 窑炉 渡轮 仓库 车床 传感器 磨坊 水厂")

ATTRIBUTES: Final = (
    "owner",
    "status",
    "opening hours",
    "maximum load",
    "support ends",
    "colour",
    "serial prefix",
    "inspection interval",
    "firmware",
    "contact",
)
ZH_ATTRIBUTES: Final = (
    "负责人",
    "状态",
    "开放时间",
    "最大负荷",
    "维护期限",
    "颜色",
    "编号前缀",
    "检查周期",
    "固件版本",
    "联系人",
)
_VALUES: Final = _cut("open closed red green spare north south weekly monthly pending retired leased")
_ZH_VALUES: Final = _cut("开放 关闭 红色 绿色 备用 朝北 朝南 每周 每月 待定 退役 出租")

_SYLLABLES: Final = _cut("ba ce di fo gu ha ke li mo nu pa re si to va we xi yo za qu")
_WORDS: Final = tuple("".join(parts) for parts in product(_SYLLABLES, repeat=3))
_HAN: Final = (
    "山水风云日月星河田林石金木火土天地人心手口目耳足门车马牛羊鱼鸟花草果米茶酒衣食住行"
    "东西南北上下左右前后内外大小长短高低远近新旧早晚春夏秋冬红黄蓝白黑青紫一二三四五六七八九十百千万"
)
_ZH_WORDS: Final = tuple("".join(parts) for parts in product(_HAN, repeat=2))[::3]
_WORD_WEIGHTS: Final = tuple(accumulate(1 / rank for rank in range(1, len(_WORDS) + 1)))
_ZH_WORD_WEIGHTS: Final = tuple(accumulate(1 / rank for rank in range(1, len(_ZH_WORDS) + 1)))

SOURCES: Final = tuple(
    (f"{kind} {number}", kind) for kind in ("official", "document", "web", "user") for number in range(50)
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of one slot, from a day on."""

    subject: str
    attribute: str
    value: str
    day: int
    is_chinese: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question in plain words, and whether it names its subject."""

    words: str
    is_chinese: bool
    is_naming: bool

    @property
    def kind(self) -> str:
        """What kind of question it is."""
        return f"{'zh' if self.is_chinese else 'en'}, {'name' if self.is_naming else 'no name'}"


class World:
    """A world in which `size` beliefs are held, each on two to five items of evidence."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._random = random.Random(SEED + size)
        self.facts = list(self._facts())
        self._said = self._order()

    def _facts(self) -> Iterator[Fact]:
        chance = self._random
        made = 0
        while made < self.size:
            subject, is_chinese = self.subject(made)
            names = ZH_ATTRIBUTES if is_chinese else ATTRIBUTES
            for attribute in chance.sample(names, _SUBJECT_ATTRIBUTES):
                day = chance.randrange(_SPAN)
                changes = 1 + (chance.random() < _CHANGED_SHARE)
                for one in range(min(changes, self.size - made)):
                    yield Fact(
                        subject, attribute, self._value(is_chinese=is_chinese), day + one * _SPAN, is_chinese
                    )
                    made += 1

    def subject(self, number: int) -> tuple[str, bool]:
        """The name of the subject with this number, and whether it is Chinese."""
        chance = random.Random(number)
        if chance.random() < _CHINESE_SHARE:
            return f"{chance.choice(_ZH_PLACES)}{chance.choice(_ZH_THINGS)}{number}号", True
        return f"{chance.choice(_FORMS)} {chance.choice(_THINGS)} {number}", False

    def _value(self, *, is_chinese: bool) -> str:
        word = self._random.choice(_ZH_VALUES if is_chinese else _VALUES)
        return (
            f"{word}{self._random.randrange(900)}" if is_chinese else f"{word} {self._random.randrange(900)}"
        )

    def _order(self) -> list[tuple[int, int]]:
        """The day and the fact of each item of evidence, in the order in which it was said."""
        chance = self._random
        return sorted(
            (fact.day + chance.randrange(_SPAN), number)
            for number, fact in enumerate(self.facts)
            for _ in range(chance.randint(FEWEST, MOST))
        )

    def observations(self, *, by_subject: bool = False) -> Iterator[Observation]:
        """All evidence, in the order in which it was said, or fact by fact."""
        said = sorted(self._said, key=lambda one: one[1]) if by_subject else self._said
        for second, (day, number) in enumerate(said):
            at = _FIRST_DAY + timedelta(days=day, seconds=second % 86_400)
            yield self.observation(self.facts[number], at)

    def observation(self, fact: Fact, at: datetime) -> Observation:
        """What one of the sources says of a fact."""
        source, kind = self._random.choice(SOURCES)
        return Observation(
            source=source,
            source_type=kind,
            text=self._text(fact),
            claims=[(fact.subject, fact.attribute, fact.value)],
            observed_at=at,
            recorded_at=at,
        )

    def _text(self, fact: Fact) -> str:
        if fact.is_chinese:
            filler = "".join(self.zh_words(8))
            return f"{fact.subject}的{fact.attribute}为{fact.value}。{filler}。"
        filler = " ".join(self.words(10))
        return f"The {fact.attribute} of {fact.subject} is {fact.value}. {filler.capitalize()}."

    def words(self, count: int) -> list[str]:
        """Words as unevenly common as in real texts."""
        return self._random.choices(_WORDS, cum_weights=_WORD_WEIGHTS, k=count)

    def zh_words(self, count: int) -> list[str]:
        """The same in Chinese."""
        return self._random.choices(_ZH_WORDS, cum_weights=_ZH_WORD_WEIGHTS, k=count)

    def some_fact(self) -> Fact:
        """One of the facts."""
        return self._random.choice(self.facts)

    def news(self, number: int) -> Observation:
        """A claim that the memory has not heard: of a known slot mostly, else of a new one."""
        fact = self.some_fact()
        if number % 3 == 0:
            subject, is_chinese = self.subject(self.size + number)
            attribute = self._random.choice(ZH_ATTRIBUTES if is_chinese else ATTRIBUTES)
            fact = Fact(subject, attribute, self._value(is_chinese=is_chinese), _DAYS, is_chinese)
        return self.observation(fact, _FIRST_DAY + timedelta(days=_DAYS, seconds=number))

    def question(self, number: int) -> Question:
        """A question of one of four kinds in turn: English or Chinese, with the subject's name or without."""
        wants_chinese, is_naming = number % 2 == 1, number // 2 % 2 == 0
        fact = self.some_fact()
        while fact.is_chinese is not wants_chinese:
            fact = self.some_fact()
        return Question(self._question(fact, is_naming=is_naming), wants_chinese, is_naming)

    def _question(self, fact: Fact, *, is_naming: bool) -> str:
        if fact.is_chinese:
            if is_naming:
                return f"{fact.subject}的{fact.attribute}是什么？"
            return f"哪里的{fact.attribute}是{fact.value}，{''.join(self.zh_words(2))}？"
        if is_naming:
            return f"What is the {fact.attribute} of {fact.subject}?"
        return f"Where is the {fact.attribute} {fact.value}, {' '.join(self.words(2))}?"


def declare_all(memory: Memory) -> None:
    """Declare the attributes of the world, so that writing does not warn of each."""
    for name in (*ATTRIBUTES, *ZH_ATTRIBUTES):
        memory.declare(name)
