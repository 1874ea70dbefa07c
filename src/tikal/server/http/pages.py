"""The browser client's files. Addresses of its pages (`/table/ID`, `/replay/ID`, …) all get `index.html`.

Its head is rewritten for each page and language, see `preview`.

The files are few and small, so they are read once and kept, also compressed. Only names that were found in the folder
are ever looked up, so no address leads out of it. A new `index.html` shows that the client was built again.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from starlette.datastructures import URL, Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tikal.server.config import Config
from tikal.server.http import preview
from tikal.server.http.invite import base_url

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
"""Our own types, since the system's differ (on Windows a program may have declared .js to be plain text)."""

PACKED = (".css", ".html", ".js", ".json", ".map", ".svg", ".txt", ".wasm", ".webmanifest")
INDEX = "/index.html"
FOR_GOOD = "public, max-age=31536000, immutable"  # the names of assets contain a hash of their content
ASK_FIRST = "no-cache"  # cache it, but revalidate it each time


@dataclass(frozen=True, slots=True)
class Page:
    """A file, ready to be sent."""

    body: bytes
    packed: bytes | None
    headers: dict[str, str]

    @classmethod
    def of(cls, path: Path, name: str) -> Page:
        """A file of the client, by its path and by its name in addresses."""
        return cls.made(path.read_bytes(), name)

    @classmethod
    def made(cls, body: bytes, name: str, level: int = 9) -> Page:
        """A file with the headers for its content."""
        suffix = PurePosixPath(name).suffix
        packed = gzip.compress(body, level, mtime=0) if suffix in PACKED else None
        headers = {
            "content-type": TYPES.get(suffix, "application/octet-stream"),
            "etag": f'"{hashlib.sha256(body).hexdigest()[:20]}"',
            "cache-control": FOR_GOOD if name.startswith("/assets/") else ASK_FIRST,
            "vary": "accept-encoding, accept-language" if name == INDEX else "accept-encoding",
        }
        return cls(body, packed, headers)

    def answer(self, asked: Headers) -> Response:
        """The file, compressed if the browser accepts that; a 304 if the browser has it already."""
        if self.headers["etag"] in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=self.headers)
        if self.packed is not None and takes_gzip(asked.get("accept-encoding", "")):
            return Response(self.packed, headers=self.headers | {"content-encoding": "gzip"})
        return Response(self.body, headers=self.headers)


def takes_gzip(accepted: str) -> bool:
    """Whether a browser accepts gzip.

    >>> takes_gzip("gzip, deflate, br"), takes_gzip("br, gzip;q=0"), takes_gzip("")
    (True, False, False)
    """
    for word in accepted.lower().split(","):
        name, _, quality = word.replace(" ", "").partition(";")
        if name in ("gzip", "*"):
            return quality not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


class Pages:
    """The client as an ASGI application, to be mounted at the root."""

    def __init__(self, folder: Path, config: Config) -> None:
        self._folder = folder
        self._config = config
        self._read()

    def _read(self) -> None:
        files = [path for path in sorted(self._folder.rglob("*")) if path.is_file()]
        names = ((path, f"/{path.relative_to(self._folder).as_posix()}") for path in files)
        self._pages = {name: Page.of(path, name) for path, name in names}
        self._made = self._stamp()

    def _stamp(self) -> int:
        return (self._folder / "index.html").stat().st_mtime_ns

    def find(self, path: str) -> Page:
        """The file for an address: itself, or the page that shows it; a missing file is not a page."""
        if self._stamp() != self._made:
            self._read()
        page = self._pages.get(path)
        if page is None and "." not in path.rpartition("/")[2] and not path.startswith("/api/"):
            page = self._pages[INDEX]
        if page is None:
            raise HTTPException(404)
        return page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request for a file or a page."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405 if scope["type"] == "http" else 404)
        asked = Headers(scope=scope)
        page = self.find(scope["path"])
        if page is self._pages[INDEX]:
            page = self._with_head(page, URL(scope=scope), asked)
        await page.answer(asked)(scope, receive, send)

    def _with_head(self, index: Page, url: URL, asked: Headers) -> Page:
        """The client's page, with a head for the address and the caller's language."""
        base = base_url(self._config, url.replace(path="/", query="", fragment=""))
        language = preview.language_of(url.query, asked.get("accept-language", ""))
        path = "/" if url.path == INDEX else url.path
        return Page.made(preview.with_head(index.body.decode(), base, path, language).encode(), INDEX, level=1)
