"""Words to read claims from: a schema, statements in both languages, and what may stand around them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from hypothesis import strategies as st

from knowwhy.core.model import Attribute, Draft, Modality, Schema
from knowwhy.engine.declare import checked_attribute
from knowwhy.ingest.extraction import DeterministicExtractor
from knowwhy.ingest.validation import validated
from knowwhy.providers.extraction import Extraction, Mention, Utterance

# A Wednesday.
SPOKEN = datetime(2025, 10, 8, 9, tzinfo=timezone(timedelta(hours=8)))


def declared(*attributes: Attribute) -> Schema:
    """A schema of these attributes."""
    return Schema().with_declared(attributes)


SHOP = declared(
    checked_attribute(
        "return window",
        {
            "unit": "days",
            "synonyms": ["退货期限"],
            "patterns": ["{subject} takes goods back within {value} days", "{subject}支持{value}天退货"],
        },
    ),
    checked_attribute("price", {"unit": "EUR", "synonyms": ["价格"]}),
    checked_attribute("plan", {"value_type": "text", "synonyms": ["套餐"]}),
    checked_attribute("office", {"value_type": "text", "synonyms": ["办公室"]}),
    checked_attribute("CEO", {"value_type": "entity", "synonyms": ["首席执行官"]}),
    checked_attribute("lives in", {"value_type": "text", "synonyms": ["住在"]}),
    checked_attribute("deadline", {"value_type": "date", "synonyms": ["截止日期"]}),
    checked_attribute("birthday", {"value_type": "date", "changes": False, "synonyms": ["生日"]}),
    checked_attribute("prefers", {"cardinality": "many", "synonyms": ["喜欢"]}),
    checked_attribute("speaks", {"value_type": "text", "cardinality": "many", "synonyms": ["会说"]}),
    checked_attribute("vegetarian", {"value_type": "boolean", "synonyms": ["素食者"]}),
)

ENGLISH = (
    "the return window of Harbour Books is 15 days",
    "Harbour Books' return window is fifteen days",
    "Harbour Books offers a 15-day return window",
    "Harbour Books takes goods back within 15 days",
    "the price of the lamp is €49.90",
    "Dana's plan is Pro",
    "Priya lives in Bath",
    "Marta Oliveira is the CEO of Northwind Ferries",
    "Priya speaks Hindi, English and Welsh",
    "the deadline of Heron is 1 December 2025",
    "Priya is vegetarian",
)
CHINESE = (
    "海港书店的退货期限是15天",
    "海港书店支持15天退货",
    "退货期限为十五天（海港书店）",
    "台灯的价格为49欧元",
    "小林的套餐是专业版",
    "小林住在杭州",
    "周敏是北风渡轮的首席执行官",
    "小林会说普通话、英语和日语",
    "苍鹭项目的截止日期是2025年12月1日",
    "小林是素食者",
)
STATEMENTS = (*ENGLISH, *CHINESE)

EXTRACTOR = DeterministicExtractor()

statements = st.sampled_from(STATEMENTS)
noise = st.text(st.characters(codec="utf-8"), max_size=12)
marks = st.sampled_from(
    [". ", "\n", "。", "\n\n", "! ", "；", "; ", "\n- ", "\n> ", ", ", "，", " | ", ": ", "\n```\n"]
)
texts = st.lists(st.tuples(st.one_of(statements, noise), marks), max_size=8).map(
    lambda parts: "".join(part + mark for part, mark in parts)
)


def read(
    text: str,
    schema: Schema = SHOP,
    *,
    speaker: str | None = "Dana",
    before: tuple[Mention, ...] = (),
    spoken: datetime = SPOKEN,
    takes_undeclared: bool = False,
) -> Extraction:
    """What the deterministic extractor reads, checked against the words."""
    utterance = Utterance(text, spoken, speaker, before, takes_undeclared)
    return validated(EXTRACTOR.extract(utterance, schema), utterance, schema)


def only(text: str, schema: Schema = SHOP) -> Draft:
    """The one draft that is read in a text."""
    (draft,) = read(text, schema).drafts
    return draft


def asserted(found: Extraction) -> list[Draft]:
    """The drafts that their speaker stands for."""
    return [draft for draft in found.drafts if draft.modality in (Modality.ASSERTED, Modality.PLANNED)]
