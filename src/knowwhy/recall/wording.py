"""Wording: words that ask for the same relation, so that "where was she born" means a place of birth.

A short list of everyday relations in English and Chinese, for matching the words of a question with the
names of attributes; synonyms that a memory declares itself go before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from knowwhy.recall.analysis import terms

_FAMILIES: Final = (
    "birth born birthplace birthday 出生 生于 生日",
    "death die died dead deceased 去世 逝世 死亡",
    "spouse wife husband partner married marry wed 妻子 丈夫 配偶 结婚",
    "author wrote write writer written penned 作者 撰写 写作",
    "creator create created creation inventor invented invent 创作 发明",
    "founder founded found establish established founding 创始 创立 成立",
    "citizenship citizen nationality national 国籍 公民",
    "employer employed employ employee work works job company 工作 公司 雇主 就职",
    "education educated educate study studied school university college alma 学校 毕业 就读",
    "religion religious faith affiliation 宗教 信仰",
    "language speak speaks spoken 语言",
    "performer perform performed sing singer sang actor 演唱 表演 演员",
    "developer develop developed development 开发",
    "manufacturer manufacture manufactured maker produced produce producer 制造 生产",
    "chief ceo executive 首席",
    "head leader lead leads led 领导 首脑",
    "origin originate originated originates originally 起源 来源",
    "location located locate place situated lies 地点 位置 位于",
    "headquarters headquartered headquarter hq 总部",
    "residence reside resides resident live lives living home address 住 居住 地址 住址",
    "price cost costs fee charge 价格 费用 多少钱",
    "deadline due until latest 截止 期限",
    "date day time 日期 时间",
    "release released launch launched publish published 发布 发行",
    "end ends ended expire expires expiry stop stops 结束 到期 终止",
    "child children son daughter kid kids 孩子 儿子 女儿",
    "parent parents father mother 父亲 母亲 父母",
    "sibling brother sister 兄弟 姐妹",
    "owner own owns owned belongs belong 拥有 所有",
    "boss manager manages managed supervisor 经理 上司",
    "phone telephone mobile 电话 手机",
    "allergy allergic allergies 过敏",
    "occupation profession career title 职业 职位 职务",
)


# Question words, which no index keeps, and the family of what they ask for.
_ASKED: Final = (
    (re.compile(r"\bwhere\b|哪里|哪儿|何处|何地|在哪", re.IGNORECASE), "location"),
    (re.compile(r"\bhow (?:much|expensive)\b|多少钱", re.IGNORECASE), "price"),
    (re.compile(r"\b(?:until|by) when\b|截止", re.IGNORECASE), "deadline"),
    (re.compile(r"\bwhen\b|什么时候|何时|哪天|几号", re.IGNORECASE), "date"),
)


def asked_by_word(question: str) -> dict[str, frozenset[str]]:
    """The families that the question words ask for; they account for no term."""
    return {family: frozenset() for pattern, family in _ASKED if pattern.search(question)}


def _entries() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for family in _FAMILIES:
        words = family.split()
        for word in words:
            known = terms(word)
            # A Han word of two characters is the pair; of one, the character.
            term = known[-1] if known else word
            found.setdefault(term, words[0])
    return found


_FAMILY: Final = _entries()


def family_of(term: str) -> str:
    """What all terms that ask for the same relation share; a term of no family is its own."""
    return _FAMILY.get(term, term)


@lru_cache(maxsize=16_384)
def wanted_by(name: str) -> frozenset[str]:
    """What must be asked for by a question that means an attribute of this name, by family."""
    return frozenset(map(family_of, terms(name)))


def by_family(asked: Iterable[str]) -> dict[str, frozenset[str]]:
    """The terms of a question, by the family that they belong to."""
    found: dict[str, set[str]] = {}
    for term in asked:
        found.setdefault(family_of(term), set()).add(term)
    return {family: frozenset(members) for family, members in found.items()}
