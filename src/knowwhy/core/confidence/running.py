"""The one-coin model kept up to date: what a change of one object teaches, at the cost of that object."""

from __future__ import annotations

from collections.abc import Mapping

from knowwhy.core.confidence.channel import PRIOR_RIGHT, PRIOR_WRONG, Coins, Posterior
from knowwhy.core.confidence.reliability import Reliability, named_gold


class RunningReliability:
    """The one-coin model kept up to date object by object: each change costs the claims on its object alone.

    It climbs the same penalised likelihood as `fitted`, so that sweeps end where that does not move.
    """

    __slots__ = ("_coins", "_gold", "_posteriors", "_table")

    def __init__(self) -> None:
        self._coins = Coins(None, is_shared=False)
        self._table: dict[str, dict[str, str]] = {}
        self._posteriors: dict[str, Posterior] = {}
        self._gold: dict[str, str] = {}

    def hear(self, about: str, said: Mapping[str, str], gold: str | None = None) -> None:
        """Take what the voices say of one object now, in the place of all they said of it before."""
        self._gold.pop(about, None)
        if gold is not None:
            self._gold[about] = gold
        self._weigh(about, dict(said))

    def sweep(self) -> float:
        """Weigh every object once more; gives the greatest change of a reliability."""
        before = {voice: self._coins.rate(voice) for voice in self._coins.heard}
        for about, said in list(self._table.items()):
            self._weigh(about, said)
        return max((abs(self._coins.rate(voice) - rate) for voice, rate in before.items()), default=0.0)

    def reliability(self, source: str) -> Reliability:
        """What is known of the source by now: the prior where nothing is."""
        heard, right = self._coins.heard.get(source, 0.0), self._coins.right.get(source, 0.0)
        return Reliability(PRIOR_RIGHT + right, PRIOR_WRONG + max(0.0, heard - right))

    def posterior(self, about: str) -> Posterior:
        """What the value of the object may be, as of when it was last weighed."""
        return named_gold(self._posteriors[about], self._gold.get(about))

    def _weigh(self, about: str, said: dict[str, str]) -> None:
        # Weighed while the old counts still stand: what is climbed is then the likelihood of all objects.
        posterior, _ = self._coins.weighed(about, said, self._gold.get(about))
        if about in self._table:
            self._coins.count(self._table.pop(about), self._posteriors.pop(about), sign=-1.0)
        if said:
            self._coins.count(said, posterior)
            self._table[about], self._posteriors[about] = said, posterior
