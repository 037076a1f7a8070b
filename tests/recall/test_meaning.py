"""Finding by meaning: vectors follow what is written, models are never mixed, words find without one."""

import json
import threading
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import Fault, InvalidInput, Unavailable, Unsupported
from knowwhy.providers.embedding import as_floats
from knowwhy.providers.nearness import SIZES, Matrix, Sizes
from knowwhy.recall.leads import Channel
from knowwhy.store.protocol import Vector
from tests.laws.effort import examples

# Words that this little model takes for the same.
ALIKE = {"automobile": "car", "vehicle": "car", "physician": "doctor", "车": "car"}


@dataclass
class WordModel:
    """A model that knows some words, and which of them mean the same."""

    name: str = "words-1"
    dimension: int = 16
    unrelated: float = 0.0
    asked: int = 0
    is_down: bool = False
    states: int | None = None

    def embed(self, texts: Sequence[str], *, is_question: bool = False) -> list[bytes]:
        del is_question
        if self.is_down:
            raise Unavailable("The model is down.", retry_after=1.0)
        self.asked += len(texts)
        return [self._vector(one) for one in texts]

    def _vector(self, text: str) -> bytes:
        numbers = [0.01] * (self.states or self.dimension)
        for word in text.lower().replace("?", " ").split():
            numbers[sum(map(ord, ALIKE.get(word, word))) % len(numbers)] += 1.0
        return as_floats(numbers)


def said(memory: knowwhy.Memory, *texts: str) -> knowwhy.Outcome:
    return memory.observe_many(
        knowwhy.Observation("ann", one, observed_at="2025-01-01", extract=False) for one in texts
    )


@pytest.fixture(params=["memory", "sqlite"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return ":memory:" if request.param == "memory" else str(tmp_path / "memory.db")


def texts(found: knowwhy.Recollection) -> list[str]:
    return [one.evidence.text for one in found.passages]


def test_what_shares_no_word_is_found_by_meaning(address: str) -> None:
    with knowwhy.open(address, embedder=WordModel()) as memory:
        said(memory, "The automobile is red", "The cat sleeps")
        found = memory.recall("vehicle", channels=["vectors"])
        assert texts(found)[0] == "The automobile is red"
        assert [str(lead.channel) for lead in found.passages[0].leads] == ["vectors"]
        assert texts(memory.recall("vehicle", channels=["text"])) == []
        assert texts(memory.recall("vehicle"))[0] == "The automobile is red"


def test_beliefs_are_found_by_meaning_too() -> None:
    with knowwhy.open(embedder=WordModel()) as memory:
        memory.observe(source="ann", claims=[("Bob", "drives", "automobile"), ("Bob", "sees", "physician")])
        best = memory.recall("vehicle", channels=["vectors"]).best
        assert best is not None
        assert str(best.value) == "automobile"


def test_a_branch_shares_the_vectors_and_hides_nothing_of_its_own() -> None:
    with knowwhy.open(embedder=WordModel()) as memory:
        said(memory, "The automobile is red")
        branch = memory.fork("if")
        said(branch, "The physician sings")
        assert texts(branch.recall("vehicle", channels=["vectors"]))[0] == "The automobile is red"
        assert texts(branch.recall("doctor", channels=["vectors"]))[0] == "The physician sings"
        assert "The physician sings" not in texts(memory.recall("doctor", channels=["vectors"]))


def test_what_was_superseded_or_withdrawn_does_not_come_back_by_meaning() -> None:
    with knowwhy.open(embedder=WordModel()) as memory:
        memory.observe(source="a", claims=[("Bob", "drives", "automobile")], observed_at="2025-01-01")
        memory.observe(source="a", claims=[("Bob", "drives", "bicycle")], observed_at="2025-02-01")
        assert [str(one.value) for one in memory.recall("vehicle").beliefs] in (["bicycle"], [])
        (item,) = said(memory, "The vehicle is green").evidence
        memory.retract(item, reason="a mistake")
        assert texts(memory.recall("automobile")) == []


def test_an_embedder_that_is_down_stops_no_writing_and_no_recall_and_is_told() -> None:
    model = WordModel()
    with knowwhy.open(embedder=model) as memory:
        model.is_down = True
        outcome = said(memory, "The automobile is red")
        assert "no vectors yet" in outcome.warnings[-1]
        found = memory.recall("automobile")
        assert texts(found) == ["The automobile is red"]
        assert found.unsearched is not None
        assert "down" in found.unsearched
        assert "down" in str(found)
        assert any("no vector" in note for note in memory.doctor().notes)
        with pytest.raises(Unavailable):
            memory.embed()
        model.is_down = False
        assert memory.embed().made == 1
        assert not any("no vector" in note for note in memory.doctor().notes)
        assert texts(memory.recall("vehicle", channels=["vectors"])) == ["The automobile is red"]


def test_after_a_change_of_model_only_vectors_of_the_same_model_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with knowwhy.open(path, embedder=WordModel()) as memory:
        said(memory, "The automobile is red", "The cat sleeps")
    with knowwhy.open(path, embedder=WordModel("words-2", 32)) as memory:
        said(memory, "The physician sings")
        assert set(texts(memory.recall("vehicle", channels=["vectors"]))) <= {"The physician sings"}
        assert texts(memory.recall("automobile"))[0] == "The automobile is red"
        assert any("2 documents have no vector" in note for note in memory.doctor().notes)
        with knowwhy.open(path, embedder=WordModel()) as old:  # the old ones go on serving
            assert texts(old.recall("vehicle", channels=["vectors"]))[0] == "The automobile is red"
        report = memory.embed()
        assert (report.model, report.made, report.taken_away) == ("words-2/32", 2, 2)
        assert texts(memory.recall("vehicle", channels=["vectors"]))[0] == "The automobile is red"
        assert memory.embed().made == 0


def test_vectors_of_another_length_than_stated_are_refused() -> None:
    with knowwhy.open(embedder=WordModel(states=8)) as memory:
        outcome = said(memory, "The automobile is red")
        assert "it states 16" in outcome.warnings[-1]
        with pytest.raises(Fault, match="it states 16"):
            memory.recall("vehicle")


def test_another_process_sees_new_vectors_at_its_next_question(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with knowwhy.open(path, embedder=WordModel()) as one, knowwhy.open(path, embedder=WordModel()) as other:
        said(one, "The cat sleeps")
        assert "The automobile is red" not in texts(other.recall("vehicle", channels=["vectors"]))
        said(one, "The automobile is red")
        assert texts(other.recall("vehicle", channels=["vectors"]))[0] == "The automobile is red"


def test_without_an_embedder_embed_says_what_to_do() -> None:
    with knowwhy.open() as memory, pytest.raises(InvalidInput, match="embedder="):
        memory.embed()


def test_rebuilding_keeps_vectors_and_doctor_is_content(address: str) -> None:
    model = WordModel()
    with knowwhy.open(address, embedder=model) as memory:
        said(memory, "The automobile is red")
        memory.observe(source="a", claims=[("Bob", "drives", "automobile")])
        asked = model.asked
        memory.rebuild()
        assert model.asked == asked
        assert memory.doctor().is_healthy
        assert not memory.doctor().notes or "vector" not in " ".join(memory.doctor().notes)


vectors = st.lists(st.floats(-1, 1, width=32).filter(lambda one: abs(one) > 1e-3), min_size=4, max_size=4)


# All compared; a short list whose vectors are kept here; and one whose vectors are read where they are.
_WAYS: Final = (SIZES, Sizes(exact=2, kept=100, shortlist=50), Sizes(exact=2, kept=4, shortlist=50))


@examples(120)
@given(
    sizes=st.sampled_from(_WAYS),
    put=st.lists(st.tuples(st.sampled_from("abcdefgh"), vectors), max_size=20),
    question=vectors,
    most=st.integers(0, 9),
)
def test_nearness_is_the_cosine_with_what_was_put_last(
    sizes: Sizes, put: list[tuple[str, list[float]]], question: list[float], most: int
) -> None:
    matrix = Matrix("m", 4, sizes)
    before = matrix.near(as_floats(question), 0.0)
    for one, numbers in put:
        matrix.put([(one, as_floats(numbers))])
    last = dict(put)
    due = {
        one: max(0.0, sum(a * b for a, b in zip(_unit(numbers), _unit(question), strict=True)))
        for one, numbers in last.items()
    }
    kept = {one: as_floats(numbers) for one, numbers in last.items()}
    near = matrix.near(
        as_floats(question), 0.0, lambda wanted: [(one, kept[one]) for one in wanted if one in kept]
    )
    found_of = near.of("abcdefgh")
    assert found_of == pytest.approx({one: due.get(one, 0.0) for one in "abcdefgh"}, abs=1e-5)
    assert set(before.of("abcdefgh").values()) == {0.0}
    found = near.nearest(len(put) + 1)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
    assert {one for one, _ in found} == {one for one, score in due.items() if score > 1e-5} or all(
        due[one] == pytest.approx(0.0, abs=1e-4)
        for one in {one for one, _ in found} ^ {one for one, score in due.items() if score > 0.0}
    )
    assert len(near.nearest(most)) <= most


def _unit(numbers: list[float]) -> list[float]:
    length = sum(one * one for one in numbers) ** 0.5
    return [one / length for one in numbers]


def test_sign_bits_find_nearly_all_of_the_nearest_by_a_short_list() -> None:
    chance = np.random.default_rng(7)
    # Vectors of few hidden causes, off the middle, as those of sentences are.
    causes = chance.standard_normal((16, 64), np.float32)
    rows = chance.standard_normal((3_000, 16), np.float32) @ causes + 2.0
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    exact, listed = (
        Matrix("m", 64, Sizes(exact=10_000)),
        Matrix("m", 64, Sizes(exact=1_000, shortlist=10, share=0.05)),
    )
    for matrix in (exact, listed):
        matrix.put((str(number), row.tobytes()) for number, row in enumerate(rows))
    met = 0
    for asked in rows[:50]:
        due, found = (
            {one for one, _ in matrix.near(asked.tobytes(), -1.0).nearest(10)} for matrix in (exact, listed)
        )
        met += len(due & found)
    assert met >= 0.95 * 500


def test_a_memory_whose_vectors_stay_in_the_store_recalls_the_same(address: str) -> None:
    with knowwhy.open(address, embedder=WordModel()) as memory:
        for text in ("The automobile is red", "The cat sleeps", "A vehicle waits", "Rain falls"):
            said(memory, text)
        due = memory.recall("vehicle", channels=["vectors"])
        memory._space.vectors.sizes = Sizes(exact=1, kept=2, shortlist=4)  # noqa: SLF001 - smaller by far
        memory._space.vectors.clear()  # noqa: SLF001
        found = memory.recall("vehicle", channels=["vectors"])
        assert texts(found) == texts(due)
        assert [one.score for one in found.passages] == pytest.approx([one.score for one in due.passages])


@given(st.floats(0.0, 0.9))
def test_nearness_is_scaled_from_what_is_unrelated_to_what_is_the_same(unrelated: float) -> None:
    matrix = Matrix("m", 2)
    matrix.put([("same", as_floats([1.0, 0.0])), ("apart", as_floats([0.0, 1.0]))])
    near = matrix.near(as_floats([1.0, 0.0]), unrelated)
    assert near.of(["same", "apart"]) == pytest.approx({"same": 1.0, "apart": 0.0}, abs=1e-5)


def test_a_vector_has_a_direction() -> None:
    with pytest.raises(Fault, match="without a direction"):
        as_floats([0.0, 0.0])
    assert array("f", as_floats([3.0, 4.0])).tolist() == pytest.approx([0.6, 0.8])


# The packaged embedder ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def packaged() -> knowwhy.PackagedEmbedder:
    return knowwhy.PackagedEmbedder()


def cosine(one: bytes, other: bytes) -> float:
    return float(np.frombuffer(one, "<f4") @ np.frombuffer(other, "<f4"))


def test_the_packaged_embedder_means_the_same_in_two_languages(packaged: knowwhy.PackagedEmbedder) -> None:
    (asked,) = packaged.embed(["How many days do I have to send an order back?"], is_question=True)
    passages = ["订单可在七天内退货。", "今天天气很好。", "The meeting is on Monday."]
    near = [cosine(asked, one) for one in packaged.embed(passages)]
    assert near[0] == max(near)
    assert near[0] - near[1] > 0.03


def test_what_it_gives_does_not_depend_on_what_is_embedded_beside(packaged: knowwhy.PackagedEmbedder) -> None:
    said_together = packaged.embed(["a cat", "x " * 700, "退货期限是七天。", "a cat"])
    for one, together in zip(["a cat", "x " * 700, "退货期限是七天。"], said_together, strict=False):
        assert cosine(packaged.embed([one])[0], together) == pytest.approx(1.0, abs=1e-4)
    assert all(len(one) == 4 * packaged.dimension for one in said_together)
    assert packaged.embed([]) == []


def test_any_text_can_be_embedded(packaged: knowwhy.PackagedEmbedder) -> None:
    for one in ("", " ", "\0", "😀", "\ud800"):
        (vector,) = packaged.embed([one])
        assert cosine(vector, vector) == pytest.approx(1.0, abs=1e-4)


def test_weights_that_are_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "e5-small-q4.bin"
    path.write_bytes(b"something else" * 10)
    with pytest.raises(InvalidInput, match="holds no weights"):
        knowwhy.PackagedEmbedder(path).embed(["a"])


def test_where_the_weights_are_not_installed_it_says_how(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowwhy.providers.packaged._PACKAGE", "no_such_package_here")
    with pytest.raises(Unsupported, match=r"knowwhy\[embed\]"):
        knowwhy.PackagedEmbedder()


# An embedder behind an address -------------------------------------------------------------------


@contextmanager
def endpoint(answer: Any, status: int = 200) -> Iterator[tuple[str, list[Any]]]:  # noqa: ANN401 - JSON
    """A server that answers every request alike; gives its address, and what it was asked."""
    heard: list[Any] = []

    class Desk(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.append((self.path, self.headers.get("Authorization"), body))
            told = answer(body) if callable(answer) else answer
            written = told if isinstance(told, bytes) else json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Desk)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", heard
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def by_length(body: Any) -> Any:  # noqa: ANN401 - JSON
    rows = [{"index": at, "embedding": [float(len(one)), 1.0]} for at, one in enumerate(body["input"])]
    return {"data": rows[::-1]}


def test_an_endpoint_is_asked_as_openai_is() -> None:
    with endpoint(by_length) as (url, heard):
        embedder = knowwhy.RemoteEmbedder(url, "some-model", dimension=2, key="secret")
        first, second = embedder.embed(["a", "abc"])
        assert array("f", first).tolist() == pytest.approx([2**-0.5, 2**-0.5])
        assert array("f", second).tolist() == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
        ((path, key, body),) = heard
        assert (path, key) == ("/v1/embeddings", "Bearer secret")
        assert body["model"] == "some-model"
        assert "secret" not in repr(vars(embedder).keys()) + embedder.name
        assert embedder.name.startswith("some-model@")


@pytest.mark.parametrize(
    ("answer", "status", "error"),
    [
        ({"data": []}, 503, Unavailable),
        ({"data": []}, 429, Unavailable),
        ({"data": []}, 401, InvalidInput),
        ({"data": []}, 200, InvalidInput),
        ({"data": [{"index": 0, "embedding": [1.0, 2.0, 3.0]}]}, 200, InvalidInput),
        ({"data": [{"index": 0, "embedding": [0.0, 0.0]}]}, 200, Fault),
        ({"error": "no"}, 200, Fault),
        ([], 200, Fault),
        (b"<html>", 200, Fault),
    ],
)
def test_what_an_endpoint_does_wrong_is_said(answer: Any, status: int, error: type[Exception]) -> None:  # noqa: ANN401
    with endpoint(answer, status) as (url, _):
        with pytest.raises(error) as told:
            knowwhy.RemoteEmbedder(url, "some-model", dimension=2, key="secret").embed(["a"])
        assert "secret" not in str(told.value)


def test_nobody_at_the_address_is_unavailable() -> None:
    with pytest.raises(Unavailable):
        knowwhy.RemoteEmbedder("http://127.0.0.1:9", "m", dimension=2, timeout=2.0).embed(["a"])
    for url, dimension in (("file:///etc/passwd", 2), ("http://x", 0)):
        with pytest.raises(InvalidInput):
            knowwhy.RemoteEmbedder(url, "m", dimension=dimension)


def test_vectors_are_kept_as_bytes_under_model_and_length(tmp_path: Path) -> None:
    with knowwhy.open(tmp_path / "m.db", embedder=WordModel()) as memory:
        said(memory, "a cat")
        with memory._space.store.snapshot("main") as view:  # noqa: SLF001 - what lies in the store
            (vector,) = view.every(Vector)
        assert (vector.model, len(vector.numbers)) == ("words-1/16", 64)
        assert Channel("vectors") is Channel.VECTORS
