"""The verbs of reading words: later, by the queue, and of documents that come in versions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

from knowwhy.engine import documents, queue, reextract, sync, work
from knowwhy.engine.declaring import Signed
from knowwhy.engine.documents import Published
from knowwhy.engine.extractors import extractor_named
from knowwhy.engine.impact import Impact
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.queue import Queue
from knowwhy.engine.reextract import Reextraction
from knowwhy.engine.space import When
from knowwhy.engine.sync import FolderReport
from knowwhy.engine.versioning import Versioning
from knowwhy.engine.work import LEASE, WorkReport
from knowwhy.providers.extraction import Extractor


class Working(Versioning):
    """A memory that keeps words at once and reads them when somebody works off its queue."""

    def work(self, *, limit: int | None = None, lease: float = LEASE, **signed: Unpack[Signed]) -> WorkReport:
        """Read the words that were observed with `extract="later"`, until nothing is ready any more.

        Any number of threads and processes may do so at once. What fails is tried again later and, after
        some tries, parked; what somebody leased who went away is free again once the lease is over. An
        item counts once, whatever happens.

        Args:
            limit: how many items at most; all that are ready where None.
            lease: for how many seconds nobody else may take what is being read; it is renewed meanwhile.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: a limit below 1, or a lease that is no time.
            Unavailable: the memory cannot be written to now; what was read so far is on record.
        """
        return work.work(
            self._space,
            limit=limit,
            lease=lease,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def queue(self, *, limit: int = 20) -> Queue:
        """What waits to be read: how many items in each state, and up to `limit` of them, parked first."""
        return queue.queue(self._space, limit=limit)

    def observe_document(
        self,
        uri: str,
        version: str,
        text: str,
        *,
        source_type: str = "document",
        observed_at: When | None = None,
        metadata: Mapping[str, str] | None = None,
        **signed: Unpack[Signed],
    ) -> Impact:
        """Record a version of a document, and tell what it does to what earlier versions said.

        All versions are one voice. What a version still says is confirmed; what it says otherwise takes the
        place of what it said; what it says no longer, it no longer speaks for, while others still may.
        Versions may arrive in any order: each counts from when it was published.

        Args:
            uri: what the document is called: a path, an address.
            version: what this version is called; a version is recorded once.
            text: all of its words; claims are read out of them as `observe` does.
            source_type: what kind of source it is, which sets its authority.
            observed_at: when this version was published; now where None.
            metadata: what else is to be kept with it.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: an empty address, version or text.
            Conflict: the version is on record with other words.
        """
        given = Published(uri, version, text, source_type, observed_at, metadata)
        return documents.observe_document(
            self._space, given, author=signed.get("author"), reason=signed.get("reason")
        )

    def sync(
        self, folder: str | Path, *, source_type: str = "document", **signed: Unpack[Signed]
    ) -> FolderReport:
        """Observe the Markdown, text, HTML and PDF files below a folder as documents, as far as they changed.

        A document is called by the folder's name and the path below it; a version counts from when the file
        was last written. A page that cannot be read whole is told, and stops no other. HTML and PDF take the
        extra `knowwhy[documents]`.

        Raises:
            NotFound: there is no such folder.
        """
        return sync.sync(
            self._space,
            Path(folder),
            source_type=source_type,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def reextract(
        self,
        name: str,
        *,
        since: When | None = None,
        extractor: Extractor | str | None = None,
        **signed: Unpack[Signed],
    ) -> Reextraction:
        """Read kept words again, on a new branch: with other declarations, or a better extractor.

        Claims that are read no more are withdrawn there, new ones added. `diff` shows what differs,
        `merge` takes it over, `drop` lets go of it. What came with claims of its own is left alone, and what
        somebody completed. All versions of a document are compared anew. Relative dates are placed on the
        memory's clock.

        Args:
            name: what the branch is called.
            since: only what became known from then on.
            extractor: who reads, itself or by name; the memory's own where None.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: the name is taken.
            NotFound: there is no extractor of that name.
            Refused: there are too many branches.
        """
        reader = extractor_named(extractor) if isinstance(extractor, str) else extractor
        return reextract.reextract(
            self._space,
            name,
            since=since,
            extractor=reader,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def retry(self, evidence: str | None = None, **signed: Unpack[Signed]) -> Outcome:
        """Try what is parked again, all of it or one item of evidence, as if it had just come in.

        Raises:
            NotFound: the item does not wait.
        """
        return queue.retry(self._space, evidence, author=signed.get("author"), reason=signed.get("reason"))
