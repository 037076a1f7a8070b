"""The mutants of derivation: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_JUSTIFICATION = "knowwhy/core/derivation/justification.py"
_SUPPORT = "knowwhy/core/derivation/support.py"
_NETWORK = "knowwhy/core/derivation/network.py"
_LABELS = "knowwhy/core/derivation/labels.py"
_LAWS = "tests/laws/test_derivation_laws.py::"
_BEST_PROOF = _LAWS + "test_support_is_the_least_solution_and_the_best_proof"
_NAMED_PROOF = _LAWS + "test_the_proof_named_gives_the_value_and_the_roots"
_CHOICE = _LAWS + "test_of_equal_proofs_the_lowest_then_the_shortest_then_the_first_is_named"
_SCRATCH = _LAWS + "test_a_network_always_says_what_would_be_found_from_scratch"
_LEAST_MODEL = _LAWS + "test_without_exceptions_what_is_in_is_the_least_model"
_WELL_FOUNDED = _LAWS + "test_labels_are_the_well_founded_model_and_agree_with_every_stable_one"


SUPPORT_MUTANTS = [
    Mutant(
        "a share that is not a number passes",
        Patch(_JUSTIFICATION, "if not 0.0 <= value <= 1.0:", "if value < 0.0 or value > 1.0:"),
        _LAWS + "test_what_is_no_share_is_refused",
    ),
    Mutant(
        "disbelief takes nothing from what is derived",
        Patch(_JUSTIFICATION, "(1.0 - disbelief) * self.strength", "self.strength"),
        _BEST_PROOF,
    ),
    Mutant(
        "disbelief lets through what it should take",
        Patch(_JUSTIFICATION, "(1.0 - disbelief) * self.strength", "disbelief * self.strength"),
        _BEST_PROOF,
    ),
    Mutant(
        "strength caps what it should weaken",
        Patch(_JUSTIFICATION, "self.strength * weakest", "min(self.strength, weakest)"),
        _BEST_PROOF,
    ),
    Mutant(
        "own values are disbelieved too",
        Patch(
            _SUPPORT, "[(-value, 0, node, _OWN)", "[(-value * (1 - disbelief.get(node, 0)), 0, node, _OWN)"
        ),
        _LAWS + "test_own_value_is_not_disbelieved_twice",
    ),
    Mutant(
        "a premise named twice must be met twice",
        Patch(_SUPPORT, "self.unmet.append(len(premises))", "self.unmet.append(len(one.premises))"),
        _BEST_PROOF,
    ),
    Mutant(
        "a justification without premises lends nothing",
        Patch(_SUPPORT, "self._offer(number, weakest=1.0)", "self._offer(number, weakest=0.0)"),
        _BEST_PROOF,
    ),
    Mutant(
        "nodes are settled in any order",
        Patch(_SUPPORT, "heappop(self.offers)", "self.offers.pop()"),
        _BEST_PROOF,
    ),
    Mutant(
        "a later and worse proof takes the place of a better one",
        Patch(_SUPPORT, "            if node not in self.settled:\n", "            if True:\n"),
        _BEST_PROOF,
    ),
    Mutant(
        "what is derived goes before an own value",
        Patch(_SUPPORT, "[(-value, 0, node, _OWN)", "[(-value, 9, node, _OWN)"),
        _CHOICE,
    ),
    Mutant(
        "levels are not counted",
        Patch(_SUPPORT, "levels = 1 + max(", "levels = 1 or max("),
        _LAWS + "test_the_choice_among_equal_proofs_in_small",
    ),
    Mutant(
        "the longest justification goes first",
        Patch(
            _SUPPORT, "return len(one.premises), one.premises,", "return -len(one.premises), one.premises,"
        ),
        _CHOICE,
    ),
    Mutant(
        "the justification given first goes first",
        Patch(_SUPPORT, "sorted(set(justifications), key=_order)", "list(dict.fromkeys(justifications))"),
        _LAWS + "test_support_does_not_depend_on_order",
    ),
    Mutant(
        "a proof of nothing is named",
        Patch(_SUPPORT, "if value > 0.0 and one.conclusion not in", "if one.conclusion not in"),
        _CHOICE,
    ),
    Mutant(
        "only the roots of one premise are named",
        Patch(_SUPPORT, "for one in via.premises)))", "for one in via.premises[:1])))"),
        _NAMED_PROOF,
    ),
    Mutant(
        "a conclusion is a root of its own proof",
        Patch(
            _SUPPORT,
            "frozenset().union(*(self.settled",
            "frozenset(self.groups.get(node, ())).union(*(self.settled",
        ),
        _LAWS + "test_a_root_reached_over_two_paths_is_one_root",
    ),
    Mutant(
        "own values are no roots",
        Patch(_SUPPORT, "frozenset(self.groups.get(node, ())))", "frozenset())"),
        _NAMED_PROOF,
    ),
]


NETWORK_MUTANTS = [
    Mutant(
        "the strongest premise counts",
        Patch(_NETWORK, "weakest = min((self.value", "weakest = max((self.value"),
        _SCRATCH,
    ),
    Mutant(
        "a rise is not followed",
        Patch(_NETWORK, "for one in self._using.get(node, ()))", "for one in ())"),
        _SCRATCH,
    ),
    Mutant(
        "the first offer is taken, not the best",
        Patch(_NETWORK, "(node not in best or value > best[node][0])", "node not in best"),
        _SCRATCH,
    ),
    Mutant(
        "what was proved by the fallen stays",
        Patch(
            _NETWORK,
            "                if self._proofs.get(conclusion) == justification:",
            "                if not conclusion:",
        ),
        _LAWS + "test_a_premise_withdrawn_takes_down_what_rested_on_it_and_no_more",
    ),
    Mutant(
        "all that could be proved by the fallen falls with it",
        Patch(
            _NETWORK,
            "                if self._proofs.get(conclusion) == justification:",
            "                if conclusion in self._proofs:",
        ),
        _LAWS + "test_what_has_another_proof_is_not_withdrawn",
    ),
    Mutant(
        "only the first of the fallen is derived anew",
        Patch(_NETWORK, "for one in changed for offer", "for one in changed[:1] for offer"),
        _LAWS + "test_a_premise_withdrawn_takes_down_what_rested_on_it_and_no_more",
    ),
    Mutant(
        "the fallen are not derived anew by other justifications",
        Patch(_NETWORK, "for one in self._concluding.get(node, ()):", "for one in ():"),
        _LAWS + "test_a_premise_withdrawn_takes_down_what_rested_on_it_and_no_more",
    ),
    Mutant(
        "a justification removed goes on to support",
        Patch(
            _NETWORK,
            "        if self._proofs.get(conclusion) == justification:\n            fallen",
            "        if not conclusion:\n            fallen",
        ),
        _SCRATCH,
    ),
    Mutant(
        "a justification removed takes down also what did not rest on it",
        Patch(
            _NETWORK,
            "        if self._proofs.get(conclusion) == justification:\n            fallen",
            "        if conclusion in self._proofs:\n            fallen",
        ),
        _LAWS + "test_what_has_another_proof_is_not_withdrawn",
    ),
    Mutant(
        "a removed justification still passes rises on",
        Patch(_NETWORK, "for premise in set(justification.premises):", "for premise in ():"),
        _SCRATCH,
    ),
    Mutant(
        "an own value that is enough is not stood on",
        Patch(_NETWORK, "if 0.0 < held <= value:", "if 0.0 < held < value:"),
        _LAWS + "test_what_has_another_proof_is_not_withdrawn",
    ),
    Mutant(
        "a fall is not noticed",
        Patch(_NETWORK, "held == 0.0 or self._proved(node) >= held", "True"),
        _SCRATCH,
    ),
    Mutant(
        "what is set again is withdrawn first",
        Patch(_NETWORK, "held == 0.0 or self._proved(node) >= held", "held == 0.0"),
        _LAWS + "test_a_rise_stops_where_nothing_rises",
    ),
    Mutant(
        "disbelief once set stays",
        Patch(
            _NETWORK,
            "_keep(self._disbelief, node, disbelief)",
            "self._disbelief[node] = max(disbelief, self._disbelief.get(node, 0.0))",
        ),
        _SCRATCH,
    ),
    Mutant(
        "one of the best justifications is enough to name the proof",
        Patch(_NETWORK, "if self._lent(one) >= value]", "if self._lent(one) >= value][:1]"),
        _SCRATCH,
    ),
    Mutant(
        "what has been looked at is forgotten",
        Patch(_NETWORK, "                self._touched.add(node)\n", ""),
        _LAWS + "test_touched_is_what_changed_and_no_more_than_follows_from_the_change",
    ),
]


LABEL_MUTANTS = [
    Mutant(
        "what is possible is in",
        Patch(_LABELS, "else Label.UNDECIDED if node in possible", "else Label.IN if node in possible"),
        _LAWS + "test_what_holds_only_if_it_does_not_is_undecided",
    ),
    Mutant(
        "what is undecided is out",
        Patch(_LABELS, "else Label.UNDECIDED if node in possible", "else Label.OUT if node in possible"),
        _WELL_FOUNDED,
    ),
    Mutant(
        "one round is enough",
        Patch(_LABELS, "        certain = founded\n", "        certain = founded\n        break\n"),
        _LAWS + "test_exceptions_to_exceptions_are_followed_down",
    ),
    Mutant(
        "exceptions are not asked",
        Patch(_LABELS, " if held.isdisjoint(rule.exceptions)]", "]"),
        _LAWS + "test_in_layers_the_labels_are_the_only_stable_model",
    ),
    Mutant(
        "one premise is enough",
        Patch(_LABELS, "if unmet[number] == 0 and conclusion not in", "if conclusion not in"),
        _LEAST_MODEL,
    ),
    Mutant(
        "in labels a premise named twice must be met twice",
        Patch(_LABELS, "unmet.append(len(premises))", "unmet.append(len(rule.premises))"),
        _LEAST_MODEL,
    ),
    Mutant(
        "what has no premises does not follow",
        Patch(
            _LABELS,
            "zip(rules, unmet, strict=True) if count == 0",
            "zip(rules, unmet, strict=True) if count < 0",
        ),
        _LEAST_MODEL,
    ),
    Mutant(
        "a node may be its own premise",
        Patch(_LABELS, "premises = set(rule.premises)", "premises = set(rule.premises) - {rule.conclusion}"),
        _LAWS + "test_after_a_premise_is_retracted_what_is_in_is_the_least_model_of_the_rest",
    ),
    Mutant(
        "what is blocked may be derived",
        Patch(_LABELS, "if one.conclusion not in fixed]", "if one.conclusion not in undecided]"),
        _LAWS + "test_blocked_nodes_are_out_whatever_justifies_them",
    ),
    Mutant(
        "what is known to be undecided may be derived",
        Patch(_LABELS, "if one.conclusion not in fixed]", "if one.conclusion not in blocked]"),
        _LAWS + "test_undecided_nodes_are_undecided_whatever_justifies_them",
    ),
    Mutant(
        "what is known to be undecided counts as out",
        Patch(_LABELS, "for node in undecided]", "for node in ()]"),
        _LAWS + "test_a_whole_is_labelled_as_its_upper_part_given_the_labels_of_the_lower",
    ),
    Mutant(
        "what is known to be undecided counts as in",
        Patch(_LABELS, "Justification(node, (), exceptions=(node,))", "Justification(node, ())"),
        _LAWS + "test_undecided_nodes_settle_nothing",
    ),
    Mutant(
        "two standings are noticed of assumptions alone",
        Patch(
            _LABELS, "in combinations(standings.items(), 2):", "in [*combinations(standings.items(), 2)][:2]:"
        ),
        _LAWS + "test_two_standings_of_one_node_are_refused",
    ),
    Mutant(
        "rivals take the place of exceptions",
        Patch(_LABELS, "one.exceptions + _further(", "_further("),
        _LAWS + "test_rivals_come_after_the_exceptions_already_there",
    ),
    Mutant(
        "a node is its own rival",
        Patch(_LABELS, "justification.exceptions, (justification.conclusion,)", "justification.exceptions"),
        _LAWS + "test_derived_rivals_are_undecided_until_one_loses_its_premise",
    ),
]


DERIVATION_MUTANTS: tuple[Mutant, ...] = (*SUPPORT_MUTANTS, *NETWORK_MUTANTS, *LABEL_MUTANTS)
