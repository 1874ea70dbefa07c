"""The browser client's files. Addresses of its pages (`/table/ID`, `/replay/ID`, …) all get `index.html`.

The files are read once and kept, also compressed: they are few and small. Only names that were found in the folder
are ever looked up, so no address leads out of it. A client that was built anew is noticed by its `index.html`.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""Our own, since those of the system differ (on Windows a program may have said that .js is plain text)."""

PACKED = (".css", ".html", ".js", ".json", ".map", ".svg", ".txt", ".wasm", ".webmanifest")
FOR_GOOD = "public, max-age=31536000, immutable"  # assets have a hash of their content in their name
ASK_FIRST = "no-cache"  # keep it, but ask whether it is still the same


@dataclass(frozen=True, slots=True)
class Page:
    """A file, ready to be sent."""

    body: bytes
    packed: bytes | None
    headers: dict[str, str]

    @classmethod
    def of(cls, path: Path, name: str) -> Page:
        """A file of the client, by its path and by its name in addresses."""
        body = path.read_bytes()
        packed = gzip.compress(body, mtime=0) if path.suffix in PACKED else None
        headers = {
            "content-type": TYPES.get(path.suffix, "application/octet-stream"),
            "etag": f'"{hashlib.sha256(body).hexdigest()[:20]}"',
            "cache-control": FOR_GOOD if name.startswith("/assets/") else ASK_FIRST,
            "vary": "accept-encoding",
        }
        return cls(body, packed, headers)

    def answer(self, asked: Headers) -> Response:
        """The file, packed where that is understood; only that it is the same, where it is known."""
        if self.headers["etag"] in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=self.headers)
        if self.packed is not None and takes_gzip(asked.get("accept-encoding", "")):
            return Response(self.packed, headers=self.headers | {"content-encoding": "gzip"})
        return Response(self.body, headers=self.headers)


def takes_gzip(accepted: str) -> bool:
    """Whether a browser understands gzip.

    >>> takes_gzip("gzip, deflate, br"), takes_gzip("br, gzip;q=0"), takes_gzip("")
    (True, False, False)
    """
    for word in accepted.lower().split(","):
        name, _, quality = word.replace(" ", "").partition(";")
        if name in ("gzip", "*"):
            return quality not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


class Pages:
    """The client as an application of its own, to be mounted at the root."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read()

    def _read(self) -> None:
        files = [path for path in sorted(self._folder.rglob("*")) if path.is_file()]
        names = ((path, f"/{path.relative_to(self._folder).as_posix()}") for path in files)
        self._pages = {name: Page.of(path, name) for path, name in names}
        self._made = self._stamp()

    def _stamp(self) -> int:
        return (self._folder / "index.html").stat().st_mtime_ns

    def find(self, path: str) -> Page:
        """The file of an address: itself, or the page that shows it; a file that is missing is no page."""
        if self._stamp() != self._made:
            self._read()
        page = self._pages.get(path)
        if page is None and "." not in path.rpartition("/")[2] and not path.startswith("/api/"):
            page = self._pages["/index.html"]
        if page is None:
            raise HTTPException(404)
        return page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request for a file or a page."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405 if scope["type"] == "http" else 404)
        answer = self.find(scope["path"]).answer(Headers(scope=scope))
        await answer(scope, receive, send)
