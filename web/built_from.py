"""Notes which sources the bundle was built from, so that a test can tell when it is out of date."""

import hashlib
from pathlib import Path

HERE = Path(__file__).parent
STATIC = HERE.parent / "src" / "knowwhy" / "surfaces" / "web" / "static"
FILES = [*sorted((HERE / "src").iterdir()), HERE / "index.html", HERE / "package-lock.json"]

(STATIC / "built-from").write_text(
    hashlib.sha256(b"".join(one.read_bytes() for one in FILES)).hexdigest() + "\n", "ascii"
)
