"""The browser client's files: pages, assets, types, caches; and nothing else of the disk."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.conftest import Site

INDEX = "<title>Tikal</title>" + "<p>jungle</p>" * 50


@pytest.fixture
def client(tmp_path: Path) -> Path:
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "index-3f2a9c1b.js").write_text("go()")
    (folder / "assets" / "index-3f2a9c1b.css").write_text("b {}")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "icon.png").write_bytes(b"\x89PNG")
    (folder / "manifest.webmanifest").write_text("{}")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


def test_every_address_of_a_page_gets_the_client(play_out: Callable[..., None], client: Path) -> None:
    async def scenario(site: Site) -> None:
        browser = site.know(None).http
        for path in ("/", "/index.html", "/table/dGhlIGp1bmdsZSBpcyBk", "/replay/x?at=7", "/link", "/settings"):
            page = await browser.get(path)
            assert (page.status_code, page.text) == (200, INDEX), path
            assert page.headers["content-type"] == "text/html; charset=utf-8"
            assert page.headers["cache-control"] == "no-cache"
            assert "default-src 'self'" in page.headers["content-security-policy"]
        assert (await browser.head("/table/x")).content == b""

    play_out(scenario, client=client)


def test_what_is_missing_is_missing(play_out: Callable[..., None], client: Path) -> None:
    async def scenario(site: Site) -> None:
        browser = site.know(None).http
        missing = ["/assets/index-00000000.js", "/favicon.ico", "/api/nothing", "/assets/%00.js"]
        outside = ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"]
        for path in missing + outside:
            answer = await browser.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown"), path
        assert (await browser.post("/table/x")).json()["error"]["code"] == "method"

    play_out(scenario, client=client)


def test_types_caches_and_compression(play_out: Callable[..., None], client: Path) -> None:
    async def scenario(site: Site) -> None:
        browser = site.know(None).http
        kinds = {
            "/assets/index-3f2a9c1b.js": "text/javascript; charset=utf-8",
            "/assets/index-3f2a9c1b.css": "text/css; charset=utf-8",
            "/icon.svg": "image/svg+xml",
            "/icon.png": "image/png",
            "/manifest.webmanifest": "application/manifest+json",
        }
        for path, kind in kinds.items():
            answer = await browser.get(path, headers={"accept-encoding": "gzip"})
            assert answer.headers["content-type"] == kind
            hashed = path.startswith("/assets/")
            assert answer.headers["cache-control"] == ("public, max-age=31536000, immutable" if hashed else "no-cache")
            assert answer.headers.get("content-encoding") == (None if path.endswith("png") else "gzip")
            assert answer.content == (client / path[1:]).read_bytes()
            same = await browser.get(path, headers={"if-none-match": answer.headers["etag"]})
            assert (same.status_code, same.content) == (304, b"")
        plain = await browser.get("/", headers={"accept-encoding": "identity"})
        packed = await browser.get("/", headers={"accept-encoding": "gzip"})
        assert "content-encoding" not in plain.headers and plain.text == packed.text == INDEX
        assert int(packed.headers["content-length"]) < len(gzip.compress(INDEX.encode())) + 20 < len(INDEX)

    play_out(scenario, client=client)


def test_a_client_that_was_built_anew_is_noticed(play_out: Callable[..., None], client: Path) -> None:
    async def scenario(site: Site) -> None:
        browser = site.know(None).http
        assert (await browser.get("/")).text == INDEX
        (client / "index.html").write_text("<title>New</title>")
        os.utime(client / "index.html", ns=(1, 1))
        assert (await browser.get("/table/x")).text == "<title>New</title>"

    play_out(scenario, client=client)
