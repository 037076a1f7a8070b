"""The mutants of judgements and their maps: see `mutant_table.py` for what a row says."""

from __future__ import annotations

from tests.laws.mutant_table import Mutant, Patch

_REFITTING = "knowwhy/core/confidence/refitting.py"
_RESAMPLING = "knowwhy/core/confidence/resampling.py"
_CALIBRATING = "knowwhy/recall/calibrating.py"
_RANKING = "knowwhy/recall/ranking.py"
_STANDING = "knowwhy/recall/standing.py"
_LABELS = "knowwhy/engine/labels.py"
_FEEDBACK = "knowwhy/engine/feedback.py"
_REPORT = "knowwhy/engine/calibration.py"
_ASK = "knowwhy/engine/ask.py"
_LAWS = "tests/laws/test_feedback_laws.py::"
_RULE = _LAWS + "test_maps_are_fitted_when_the_rule_says"
_PARTS = _LAWS + "test_the_rule_was_met_in_all_its_parts"
_ORDER = _LAWS + "test_a_map_keeps_the_order_and_rivals_share_one_unit"
_NOTHING_ELSE = _LAWS + "test_a_map_changes_the_numbers_shown_and_nothing_else"
_WHO_READ = _LAWS + "test_what_is_shown_does_not_depend_on_who_read_when"
_ONCE = _LAWS + "test_labels_by_one_person_on_one_belief_count_once"
_NEWER = _LAWS + "test_what_is_compared_is_newer_than_the_map"
_SAMPLE = _LAWS + "test_what_is_to_be_checked_is_one_growing_sample"
_STRATEGY = _LAWS + "test_only_labels_on_numbers_reckoned_as_now_count"

FEEDBACK_MUTANTS = [
    Mutant(
        "twenty-nine labels bring a map",
        Patch(_REFITTING, "return count >= self._fewest and", "return count >= self._fewest - 1 and"),
        _RULE,
    ),
    Mutant(
        "nine of a kind bring a map",
        Patch(
            _REFITTING,
            "min(self._true, count - self._true) >= FEWEST",
            "min(self._true, count - self._true) > -FEWEST",
        ),
        _LAWS + "test_without_enough_of_each_kind_there_is_no_map",
    ),
    Mutant(
        "either growth is enough",
        Patch(_REFITTING, "return max(FEWEST_NEW, math.ceil(", "return min(FEWEST_NEW, math.ceil("),
        _RULE,
    ),
    Mutant(
        "only numbers that are too high are seen to drift",
        Patch(_REFITTING, "abs(self._drift()) > DRIFT", "self._drift() > DRIFT"),
        _RULE,
    ),
    Mutant(
        "drift is looked for in the raw numbers",
        Patch(
            _REFITTING,
            "_terms(self.fits[-1].shown(one.raw), came=one.came)",
            "_terms(one.raw, came=one.came)",
        ),
        _PARTS,
    ),
    Mutant(
        "a map is never fitted anew",
        Patch(_REFITTING, "if len(self._newer) >= self._growth():", "if len(self._newer) >= 10**9:"),
        _PARTS,
    ),
    Mutant(
        "a judgement that was replaced still counts as new",
        Patch(_REFITTING, "self._newer.pop(one.key, (0.0, 0.0))", "self._newer.get(one.key, (0.0, 0.0))"),
        _RULE,
    ),
    Mutant(
        "every judgement counts, by whomever it was given before",
        Patch(_CALIBRATING, "return Judged((label.belief,", "return Judged((f'{label.belief}{label.at}',"),
        _ONCE,
    ),
    Mutant(
        "what nobody could judge counts as wrong",
        Patch(_CALIBRATING, "if label.judgement is not Judgement.UNKNOWN:", "if label.judgement:"),
        _ONCE,
    ),
    Mutant(
        "a denial is judged as if its value were held",
        Patch(_CALIBRATING, "is Judgement.RIGHT) is not label.is_denial", "is Judgement.RIGHT)"),
        _LAWS + "test_a_denial_that_is_right_is_a_value_that_is_wrong",
    ),
    Mutant(
        "rivals are shown as the map has them",
        Patch(
            _CALIBRATING,
            "if attribute.is_exclusive and total > 1.0:",
            "if attribute.is_exclusive and total > 9.0:",
        ),
        _ORDER,
    ),
    Mutant(
        "values that do not exclude each other share one unit",
        Patch(_CALIBRATING, "if attribute.is_exclusive and total > 1.0:", "if total > 1.0:"),
        _LAWS + "test_values_side_by_side_are_shown_as_the_map_has_them",
    ),
    Mutant(
        "labels on numbers reckoned otherwise count",
        Patch(_CALIBRATING, "if one.strategy == self._strategy(one.attribute))", "if one.strategy)"),
        _STRATEGY,
    ),
    Mutant(
        "strictness makes no difference to a number",
        Patch(_CALIBRATING, '"strictness": prior.strictness,', '"strictness": None,'),
        _STRATEGY,
    ),
    Mutant(
        "any attribute that was judged has a map of its own",
        Patch(
            _CALIBRATING,
            "LABELS_FOR_ITS_OWN: Final = LABELS_FOR_TWO_PARAMETERS",
            "LABELS_FOR_ITS_OWN: Final = 30",
        ),
        _LAWS + "test_an_attribute_has_a_map_of_its_own_from_two_hundred_labels_on",
    ),
    Mutant(
        "what is recalled first depends on labels",
        Patch(_RANKING, "return finding.raw_confidence, recency", "return finding.confidence, recency"),
        _NOTHING_ELSE,
    ),
    Mutant(
        "slots are ordered by what is shown",
        Patch(_ASK, "-finding.raw_confidence,", "-finding.confidence,"),
        _LAWS + "test_slots_stay_in_the_order_of_their_evidence_where_rivals_are_scaled_down",
    ),
    Mutant(
        "a finding is shown raw",
        Patch(_STANDING, "calibrated=shown.get(belief.id),", "calibrated=None,"),
        _NOTHING_ELSE,
    ),
    Mutant(
        "labels are read once and for all",
        Patch(_LABELS, "if acts <= _BRING_NONE:", "if acts:"),
        _WHO_READ,
    ),
    Mutant(
        "labels of later reach back",
        Patch(_LABELS, "if read.labels and known != FOREVER:", "if read.labels and known == 0:"),
        _LAWS + "test_what_was_known_then_is_shown_as_it_was_shown_then",
    ),
    Mutant(
        "maps are measured on what they were fitted to",
        Patch(_REPORT, ">= last.after", ">= 0"),
        _NEWER,
    ),
    Mutant(
        "labels set aside are measured",
        Patch(_REPORT, "if one.key in counted]", "if one.key]"),
        _LAWS + "test_a_changed_declaration_sets_labels_aside_until_it_is_as_before",
    ),
    Mutant(
        "every seed draws the same sample",
        Patch(_FEEDBACK, 'f"{seed}\\n{one.id}"', 'f"{one.id}"'),
        _SAMPLE,
    ),
    Mutant(
        "what was judged is drawn again",
        Patch(_FEEDBACK, "if one.id not in judged)", "if one.id)"),
        _SAMPLE,
    ),
    Mutant(
        "the interval of an error overshoots as the draws do",
        Patch(_RESAMPLING, "least = twice - high", "least = low"),
        _LAWS + "test_the_interval_holds_the_real_error_though_a_sample_shows_a_greater_one",
    ),
    Mutant(
        "an error that chance explains is held to be real",
        Patch(_RESAMPLING, "if least > calibration_floor(bins) else", "if least > 0.0 else"),
        _LAWS + "test_perfect_numbers_may_have_no_error_at_all",
    ),
]
