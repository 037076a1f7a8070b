"""Opening a file: is it one of ours, of which format, and what it takes to bring it up to date."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from knowwhy.errors import InvalidInput, NewerFormat, NotFound, Refused, Unavailable
from knowwhy.store.sqlite.session import Session, Settings, connected
from knowwhy.store.sqlite.turnstile import Turnstile

# "kwhy" in the file's header says that a file is ours.
APPLICATION_ID: Final = 0x6B776879

_HEADER_BYTES = 100
_MAGIC = b"SQLite format 3\0"
_APPLICATION_ID_AT = slice(68, 72)
_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Migration:
    """The statements that lead from the format before to format `number`."""

    number: int
    sql: str


def shipped() -> tuple[Migration, ...]:
    """The migrations of this version, from the first format on."""
    folder = files("knowwhy.store.sqlite") / "migrations"
    scripts = [one for one in folder.iterdir() if one.name.endswith(".sql")]
    found = (Migration(int(one.name.removesuffix(".sql")), one.read_text("utf-8")) for one in scripts)
    return tuple(sorted(found, key=lambda one: one.number))


def opened(path: str, settings: Settings, migrations: Sequence[Migration]) -> Session:
    """A session on the file at `path`, which is made if it is not there, in the newest format.

    Raises:
        InvalidInput: it is something else; it was not touched.
        NewerFormat: a newer version wrote it; it was not touched.
    """
    header = _header(path)
    if header and not _is_ours(header):
        raise InvalidInput(f"{path} is not a memory of knowwhy. It was left as it is; choose another file.")
    session = connected(path, settings, create=not header)
    try:
        if not header or not _is_ready(session, migrations):
            with Turnstile(path).turn():
                _migrate(session, migrations)
                _keep_log(session)
    except BaseException:
        session.end().close()
        raise
    return session


def _header(path: str) -> bytes:
    """How the file at `path` begins; nothing where there is none yet."""
    try:
        with Path(path).open("rb") as file:
            return file.read(_HEADER_BYTES)
    except FileNotFoundError:
        if not Path(path).absolute().parent.is_dir():
            raise NotFound(f"There is no folder for {path}. Make it, or choose another place.") from None
        return b""
    except IsADirectoryError:
        raise InvalidInput(f"{path} is a folder. Name a file in it.") from None
    except PermissionError:
        raise Refused(f"{path} may not be read. Check its permissions.") from None
    except (OSError, ValueError) as failure:
        raise InvalidInput(f"{path!r} cannot be opened: {failure}. Choose another name.") from failure


def _is_ours(header: bytes) -> bool:
    own = int.from_bytes(header[_APPLICATION_ID_AT], "big")
    return header.startswith(_MAGIC) and own == APPLICATION_ID


def _is_ready(session: Session, migrations: Sequence[Migration]) -> bool:
    check_format(session, migrations[-1].number)
    is_newest = session.number("PRAGMA user_version") == migrations[-1].number
    return is_newest and session.rows("PRAGMA journal_mode") == [("wal",)]


def check_format(session: Session, known: int) -> None:
    """Refuse a file of a format that this version does not know.

    Raises:
        NewerFormat: a newer version wrote it, or has brought it up to date meanwhile.
    """
    version = session.number("PRAGMA user_version")
    if version > known:
        raise NewerFormat(
            f"{session.path} was written by a newer knowwhy (format {version}, this one knows {known}). "
            "Upgrade knowwhy to use it.",
            format=version,
            known=known,
        )


def _migrate(session: Session, migrations: Sequence[Migration]) -> None:
    """Bring the file to the newest format, all or nothing, unless another process did meanwhile."""
    with session.writing():
        version = session.number("PRAGMA user_version")
        for migration in migrations:
            if migration.number > version:
                session.run(migration.sql)
                session.run(f"PRAGMA user_version = {migration.number}")
        session.run(f"PRAGMA application_id = {APPLICATION_ID}")


def _keep_log(session: Session) -> None:
    """Switch to the write-ahead log, only now, so that the file itself says whose it is from the start."""
    for _ in range(_ATTEMPTS):
        try:
            session.run("PRAGMA journal_mode = WAL")
        except Unavailable:  # SQLite does not wait here while another process looks at the file
            time.sleep(0.05)
        else:
            return
    raise Unavailable(f"{session.path} is in use. Try again.", retry_after=1.0)
