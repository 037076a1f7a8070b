"""The verbs that say how a memory is to understand what it hears: attributes, rules, denials, policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

from knowwhy.core.model import Cardinality, Denial, InferenceRule
from knowwhy.engine import configure, declare, inference
from knowwhy.engine.declare import checked_attribute
from knowwhy.engine.inference import PatternLike, pattern
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.reader import Reader


class Signed(TypedDict, total=False):
    """Who acts, and why: kept with the operation."""

    author: str | None
    reason: str | None


class Traits(Signed, total=False):
    """What else can be declared of an attribute."""

    changes: bool
    stale_below: float
    kind: str | None
    depends_on: Sequence[str] | Mapping[str, float]
    confidence: str | None
    policy: str | None
    base_rate: float
    strictness: float
    act_above: float
    domain: str | None
    subject_type: str | None
    object_type: str | None
    inverse: str | None


class Declaring(Reader):
    """A memory that can be told how to understand what it hears."""

    def declare(
        self,
        attribute: str,
        *,
        cardinality: str = Cardinality.ONE,
        value_type: str | None = None,
        unit: str | None = None,
        half_life_days: float | None = None,
        synonyms: Sequence[str] = (),
        patterns: Sequence[str] = (),
        about: str | None = None,
        **traits: Unpack[Traits],
    ) -> Outcome:
        """Say what an attribute is; what is already held about it is settled anew.

        Args:
            attribute: its name; `return_window`, `return-window` and `Return window` are one.
            cardinality: "one" value at a time, which excludes all others, or "many" side by side.
            value_type: text, identifier, number, date, boolean or entity; None takes what comes.
            unit: the unit of its values, which are then numbers unless `value_type` says otherwise.
            half_life_days: after how many days evidence counts half; None for never.
            synonyms: other names for it, in claims and questions.
            patterns: sentence templates with {value} and {subject} that claims are read by.
            about: the subject of patterns that name none.
            traits: `changes` (default True): whether the world may move; if not, a later word can only
                be a correction. `stale_below` (default 0.6): the confidence under which an aged belief
                is no longer relied on. `kind`: price, rule, policy, preference or identity, for a
                half-life that fits. `depends_on`: attributes of the same subject it rests on, by name
                or with how much of it does (default 0.8): when one moves, beliefs are doubtful until
                confirmed. `confidence`: evidence, log-odds or factors; `policy`: how conflicts are
                settled, see `configure`. `base_rate` (0.5) and `strictness` (1): what its numbers start
                from, and how many times the usual evidence they need. `act_above` (default 0.7): the
                confidence on which one may act; `domain`: such as medical or payment, which asks for
                more. `subject_type`, `object_type`: of what type its subjects are, and the entities that
                are its values; `inverse`: the name of the same relation from the other side (`employs` of
                `employer`), by which claims may be told and questions asked. `author`, `reason`.

        Raises:
            InvalidInput: a declaration that no memory could keep.
        """
        declared = checked_attribute(
            attribute,
            {
                "cardinality": cardinality,
                "value_type": value_type,
                "unit": unit,
                "half_life_days": half_life_days,
                "synonyms": synonyms,
                "patterns": patterns,
                "about": about,
                **traits,
            },
        )
        return declare.declare(
            self._space, declared, author=traits.get("author"), reason=traits.get("reason")
        )

    def declare_rule(
        self,
        name: str,
        *,
        premises: Sequence[PatternLike],
        conclusion: PatternLike,
        exceptions: Sequence[PatternLike] = (),
        strength: float = 1.0,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Declare that a conclusion follows wherever all premises hold and no exception does.

        Each is (subject, attribute, value); a text that begins with `?` is a variable:
        `premises=[("?x", "plan", "pro")], conclusion=("?x", "support hours", "24/7")`.

        Args:
            name: what it is called; a rule of the same name is replaced.
            premises: what must hold, at least one.
            conclusion: what follows; its variables must occur in the premises.
            exceptions: what must not hold.
            strength: how surely it follows, above 0 and up to 1.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: a rule that cannot be evaluated, or the name of a denial.
        """
        rule = InferenceRule(
            name,
            tuple(map(pattern, premises)),
            pattern(conclusion),
            tuple(map(pattern, exceptions)),
            strength,
        )
        return inference.declare_rule(
            self._space, rule, author=signed.get("author"), reason=signed.get("reason")
        )

    def declare_denial(
        self, name: str, statements: Sequence[PatternLike], **signed: Unpack[Signed]
    ) -> Outcome:
        """Declare that some statements about one subject cannot all hold at once.

        `declare_denial("booked is not free", [("?room", "status", "booked"), ("?room", "free", "yes")])`.
        What has the weaker grounds gives way, as among the values of one attribute.

        Raises:
            InvalidInput: fewer than two statements, several subjects, or the name of a rule.
        """
        denial = Denial(name, tuple(map(pattern, statements)))
        return inference.declare_denial(
            self._space, denial, author=signed.get("author"), reason=signed.get("reason")
        )

    def withdraw_rule(self, name: str, **signed: Unpack[Signed]) -> Outcome:
        """Withdraw a rule or denial; what followed from it falls, what it kept out may come back.

        Raises:
            NotFound: there is none of that name.
        """
        return inference.withdraw(self._space, name, author=signed.get("author"), reason=signed.get("reason"))

    def configure(
        self,
        *,
        policy: str | None = None,
        confidence: str | None = None,
        ranking: Mapping[str, float] | None = None,
        lifetimes: Mapping[str, float] | None = None,
        audits: float | None = None,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Say how this memory decides where an attribute does not; all that is held is settled anew.

        Ranking weights, lifetimes and audits settle nothing.

        Args:
            policy: how conflicts are settled. authority-then-recency (the default): a higher authority
                wins, then the newer word, then more evidence. confidence-first: more evidence wins,
                then authority. newest: the newer word wins, whoever says it. ratio: what comes later
                wins only with odds more than 1.5 times as good. manual: nothing wins but a correction.
            confidence: the model of the numbers: evidence (the default), log-odds or factors.
            ranking: weights by name: how much nearness in meaning counts beside words (meaning, 0 to 4),
                what was said around it (beside), and the share of its fit that a belief may
                lose for lack of confidence, recency and authority (0 to 1).
            lifetimes: for how many days words are kept on which nothing rests, by the type of their source,
                or `filler` for greetings and thanks; 0, and where nothing is said, for good. See `expire`.
            audits: for how many days it is kept on record what `recall` and `ask` answered to whom; 0, and
                where nothing is said, answers are not recorded. See `audits`.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: nothing is named, or no such policy, model or weight.
        """
        return configure.configure(
            self._space,
            policy=policy,
            confidence=confidence,
            ranking=ranking,
            lifetimes=lifetimes,
            audits=audits,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )
