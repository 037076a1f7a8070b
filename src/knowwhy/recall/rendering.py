"""Renderings of findings: sentences for a person, Markdown, and a fragment for a prompt."""

from __future__ import annotations

import json
import re
from typing import Final

from knowwhy.core.model import Evidence, Status, one_line
from knowwhy.core.timeline import isoformat, shown
from knowwhy.recall.decision import Verdict
from knowwhy.recall.finding import Finding, span_of
from knowwhy.recall.outdated import GoneValue
from knowwhy.recall.phrases import Language, Phrases, phrases_of

ENGLISH: Final = phrases_of(Language.ENGLISH)

# What Markdown or HTML would take for markup.
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|~&-])")


def sentence(finding: Finding, phrases: Phrases = ENGLISH) -> str:
    """A finding in one line for a person, with a line for each warning."""
    conditions = one_line(", ".join(f"{key}: {value}" for key, value in finding.conditions.items()))
    head = one_line(f"{finding.subject.name} / {finding.attribute.name}")
    head += f" ({conditions})" if conditions else ""
    raw = "" if finding.calibrated is None else f" (raw {finding.raw_confidence:.2f})"
    details = [phrases.confidence.format(confidence=finding.confidence) + raw]
    details += [phrases.statuses[finding.status]]
    details += [span] if (span := phrases.span(finding.belief.since, finding.belief.until)) else []
    details += [_sources(finding, phrases)] if finding.support else []
    details += [_derived(finding, phrases)] if finding.belief.derivations else []
    denial = phrases.denial if finding.is_denial else ""
    lines = [f"{head}: {denial}{finding.value}  [{'; '.join(details)}]"]
    if phrases is ENGLISH:
        lines += [f"  warning: {warning}" for warning in finding.warnings]
    elif finding.warnings:
        lines += [f"  {phrases.warning}: {one_line(_warning(finding, phrases))}"]
    return "\n".join(lines)


def mention(finding: Finding) -> str:
    """A finding that does not stand, in a few words and without a number."""
    span = span_of(finding.belief)
    return f"{finding.value}  [{finding.status}{'; ' + span if span else ''}]"


def _derived(finding: Finding, phrases: Phrases) -> str:
    rules = dict.fromkeys(one.rule for one in finding.belief.derivations if one.rule)
    if not rules:
        return "derived"
    return phrases.follows.format(rules=", ".join(f"“{one_line(rule)}”" for rule in rules))


def _sources(finding: Finding, phrases: Phrases) -> str:
    first = finding.support[0].testimony
    others = len({ground.testimony.source for ground in finding.support}) - 1
    more = phrases.more.format(count=others) if others else ""
    name, at = one_line(first.source.name), shown(first.observed_at)
    return phrases.sources.format(type=first.source.type, name=name, at=at, more=more)


def prompt_line(finding: Finding, verdict: Verdict | None = None, phrases: Phrases = ENGLISH) -> str:
    """A finding for a prompt: stored text only inside JSON strings, which it cannot leave.

    `verdict` is what to do instead where one may not act on it as it is.
    """
    relation = "is not" if finding.is_denial else "="
    topic = f"{quoted(finding.subject.name)} {quoted(finding.attribute.name)}"
    fields = [
        f"{topic} {relation} {quoted(str(finding.value))}",
        phrases.confidence.format(confidence=finding.confidence),
        phrases.statuses[finding.status],
    ]
    if finding.conditions:
        fields.append(phrases.only_for.format(conditions=quoted(finding.conditions)))
    if span := phrases.span(finding.belief.since, finding.belief.until):
        fields.append(span)
    if finding.support:
        first = finding.support[0].testimony
        at = isoformat(first.observed_at)
        said = phrases.source.format(source=quoted(first.source.name), type=first.source.type, at=at)
        fields.append(said)
    lines = ["- " + "; ".join(fields)]
    lines += [f"  {phrases.warning}: {_warning(finding, phrases)}"] if finding.warnings else []
    lines += [f"  {phrases.do_not_act}: {phrases.verdicts[verdict]}"] if verdict else []
    return "\n".join(lines)


def markdown_line(finding: Finding, verdict: Verdict | None = None, phrases: Phrases = ENGLISH) -> str:
    """A finding as an item of a Markdown list; stored text stands in it as text, never as markup."""
    topic = f"{escaped(finding.subject.name)} / {escaped(finding.attribute.name)}"
    relation = "≠ " if finding.is_denial else ""
    fields = [phrases.confidence.format(confidence=finding.confidence), phrases.statuses[finding.status]]
    if finding.conditions:
        told = escaped(", ".join(f"{key}: {value}" for key, value in finding.conditions.items()))
        fields.append(phrases.only_for.format(conditions=told))
    fields += [span] if (span := phrases.span(finding.belief.since, finding.belief.until)) else []
    if finding.support:
        first = finding.support[0].testimony
        at = isoformat(first.observed_at)
        fields.append(
            phrases.source.format(source=escaped(first.source.name), type=escaped(first.source.type), at=at)
        )
    lines = [f"- **{topic}**: {relation}{escaped(str(finding.value))} ({'; '.join(fields)})"]
    if finding.warnings:
        lines.append(f"  - ⚠ {escaped(_warning(finding, phrases))}")
    lines += [f"  - **{phrases.do_not_act}**: {phrases.verdicts[verdict]}"] if verdict else []
    return "\n".join(lines)


def _warning(finding: Finding, phrases: Phrases) -> str:
    rivals = ", ".join(quoted(str(rival.value)) for rival in finding.rivals)
    if finding.status is Status.CONTESTED:
        return phrases.contested.format(rivals=rivals or phrases.denied)
    if finding.status is Status.STALE:
        return phrases.stale.format(at=isoformat(finding.belief.observed_at))
    if finding.status is Status.DOUBTFUL:
        return "; ".join(
            (phrases.doubtful if one.after else phrases.doubtful_gone).format(
                attribute=quoted(one.attribute), before=quoted(one.before), after=quoted(one.after)
            )
            for one in finding.belief.doubts
        )
    if finding.status is Status.HYPOTHESIS:
        return phrases.hypothesis
    return phrases.newer.format(rivals=rivals)


def passage_line(evidence: Evidence, outdated: tuple[GoneValue, ...], phrases: Phrases = ENGLISH) -> str:
    """A passage of evidence for a prompt: words of a source that no belief was read from."""
    said = phrases.said.format(
        source=quoted(evidence.source.name), at=isoformat(evidence.observed_at), text=quoted(evidence.text)
    )
    lines = [f"- {said} ({phrases.raw})"]
    lines += [f"  {phrases.warning}: {outdated_words(one, phrases)}" for one in outdated]
    return "\n".join(lines)


def markdown_passage(evidence: Evidence, outdated: tuple[GoneValue, ...], phrases: Phrases = ENGLISH) -> str:
    """A passage as an item of a Markdown list."""
    said = phrases.said.format(
        source=escaped(evidence.source.name), at=isoformat(evidence.observed_at), text=escaped(evidence.text)
    )
    lines = [f"- {said} ({phrases.raw})"]
    lines += [f"  - ⚠ {escaped(outdated_words(one, phrases))}" for one in outdated]
    return "\n".join(lines)


def passage_sentence(evidence: Evidence, outdated: tuple[GoneValue, ...], phrases: Phrases = ENGLISH) -> str:
    """A passage for a person."""
    if phrases is ENGLISH:
        lines = [one_line(f"{evidence.source.name} said: “{evidence.text}”")]
    else:
        at = shown(evidence.observed_at)
        said = phrases.said.format(source=evidence.source.name, at=at, text=f"“{evidence.text}”")
        lines = [one_line(said)]
    word = "warning" if phrases is ENGLISH else phrases.warning
    lines += [f"  {word}: {one_line(outdated_words(one, phrases))}" for one in outdated]
    return "\n".join(lines)


def outdated_words(gone: GoneValue, phrases: Phrases) -> str:
    """What is out of date in a passage."""
    status = phrases.statuses[gone.finding.status]
    told = phrases.outdated.format(value=quoted(str(gone.finding.value)), status=status)
    if gone.instead:
        now = phrases.or_word.join(quoted(str(one.value)) for one in gone.instead)
        told += phrases.now_instead.format(instead=now)
    return told


def quoted(text: object) -> str:
    """Stored text as a JSON string on one line.

    It escapes quotes, line ends, control and bidi characters, and keeps readable letters of every script.
    """
    plain = json.dumps(text, ensure_ascii=False)
    return "".join(mark if mark.isprintable() else json.dumps(mark)[1:-1] for mark in plain)


def escaped(text: str) -> str:
    """Stored text as Markdown shows it: on one line, with every mark of Markdown and HTML escaped."""
    plain = "".join(mark if mark.isprintable() else " " for mark in one_line(text, len(text) * 8 + 8))
    return _MARKUP.sub(r"\\\1", plain).replace("\\&", "&amp;").replace("\\<", "&lt;").replace("\\>", "&gt;")
