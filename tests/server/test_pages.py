"""The browser client's files: pages, assets, types, caches; and no other file of the disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server.conftest import Site
from tikal.words.texts import languages, text

BODY = "<body>" + "<p>jungle</p>" * 50 + "</body></html>"
INDEX = f'<!doctype html>\n<html lang="en">\n  <head>\n    <title>Tikal</title>\n  </head>{BODY}'


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
            assert (page.status_code, page.text.endswith(BODY)) == (200, True), path
            assert page.headers["content-type"] == "text/html; charset=utf-8"
            assert page.headers["cache-control"] == "no-cache"
            assert "default-src 'self'" in page.headers["content-security-policy"]
        assert (await browser.head("/table/x")).content == b""

    play_out(scenario, client=client)


def test_missing_files_are_not_found(play_out: Callable[..., None], client: Path) -> None:
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
        assert "content-encoding" not in plain.headers and plain.text == packed.text
        assert int(packed.headers["content-length"]) < len(plain.content) / 2
        same = await browser.get("/", headers={"if-none-match": plain.headers["etag"]})
        assert (same.status_code, same.content) == (304, b"")

    play_out(scenario, client=client)


def test_a_rebuilt_client_is_detected(play_out: Callable[..., None], client: Path) -> None:
    async def scenario(site: Site) -> None:
        browser = site.know(None).http
        assert (await browser.get("/")).text.endswith(BODY)
        (client / "index.html").write_text("<body>new")
        os.utime(client / "index.html", ns=(1, 1))
        assert (await browser.get("/table/x")).text == "<body>new"

    play_out(scenario, client=client)


@pytest.mark.parametrize(
    ("path", "accepted", "language"),
    [
        ("/", "", "en"),
        ("/", "fr-FR,fr;q=0.9,en;q=0.8", "fr"),
        ("/", "en;q=0.5, fr;q=0.7", "fr"),
        ("/", "la, *;q=0.1", "en"),
        ("/table/x?lang=fr", "en-US", "fr"),
        ("/table/x?lang=xx", "fr", "fr"),
        ("/?lang=qps", "fr", "en"),  # for browsers the pseudo-language is English
    ],
)
def test_a_page_has_the_language_of_its_reader(
    play_out: Callable[..., None], client: Path, path: str, accepted: str, language: str
) -> None:
    async def scenario(site: Site) -> None:
        page = await site.know(None).http.get(path, headers={"accept-language": accepted})
        assert f'<html lang="{language}" dir="ltr">' in page.text
        assert "accept-language" in page.headers["vary"]

    play_out(scenario, client=client)


def test_a_link_is_shown_with_title_description_and_other_languages(
    play_out: Callable[..., None], client: Path
) -> None:
    async def scenario(site: Site) -> None:
        page = (await site.know(None).http.get("/table/x?lang=fr")).text
        assert page.count("<title>") == 1 and f"<title>{text('server.table_title', 'fr')}</title>" in page
        for name in ("title", "about"):
            assert f'content="{text(f"server.table_{name}", "fr")}"' in page
        for language in languages():
            assert f'hreflang="{language}" href="https://tikal.example/table/x?lang={language}"' in page
        assert 'hreflang="x-default" href="https://tikal.example/table/x"' in page
        strange = (await site.know(None).http.get('/"><script>alert(1)</script>')).text
        assert "<script>" not in strange

    play_out(scenario, client=client, public_url="https://tikal.example")
