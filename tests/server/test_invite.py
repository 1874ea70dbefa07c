"""Joining by a link or a QR code."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
import segno
from starlette.datastructures import URL

from tests.server.conftest import Site
from tikal.cli import serve
from tikal.server.config import Config
from tikal.server.http import invite

ALL = "0.0.0.0"  # noqa: S104  # told, not bound


def drawn(svg: str) -> set[tuple[int, int]]:
    """The dark modules of a picture: each `M`, `m` and `h` of its path taken literally."""
    (path,) = [node for node in ElementTree.fromstring(svg).iter() if "stroke" in node.attrib]
    x, y, dark = 0.0, 0.0, set()
    for kind, numbers in re.findall(r"([Mmh])([-\d. ]+)", path.attrib["d"]):
        values = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
        if kind == "h":
            dark |= {(int(x) + n, int(y)) for n in range(int(values[0]))}
            x += values[0]
        elif kind == "m":
            x, y = x + values[0], y + values[1]
        else:
            x, y = values
    return dark


def code_of(text: str) -> set[tuple[int, int]]:
    rows = segno.make(text, micro=False).matrix_iter(border=invite.QUIET)
    return {(x, y) for y, row in enumerate(rows) for x, module in enumerate(row) if module}


def test_the_picture_is_the_code_of_the_address(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "open"]}))["id"]
        made = await site.know(None).get(f"/tables/{table}/invitation")
        assert made["url"] == f"{site.base}/table/{table}"
        picture = await site.know(None).ask("GET", f"/tables/{table}/qr.svg")
        assert picture.headers["content-type"].startswith("image/svg+xml")
        assert picture.text == made["svg"]
        assert drawn(made["svg"]) == code_of(made["url"])
        for endpoint in ("invitation", "qr.svg"):
            assert await ann.refused("GET", f"/tables/nothing/{endpoint}") == "unknown"

    play_out(scenario)


def test_a_personal_link_comes_with_its_code(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        link = await ann.post("/me/link")
        assert link["url"] == f"https://tikal.example/link#{link['token']}"
        assert drawn(link["svg"]) == code_of(link["url"])

    play_out(scenario, public_url="https://tikal.example/")


@pytest.mark.parametrize(
    ("host", "here", "asked", "expected"),
    [
        ("127.0.0.1", "192.168.1.7", "http://localhost:8088/", "http://localhost:8088"),
        (ALL, "192.168.1.7", "http://localhost:8088/", "http://192.168.1.7:8088"),
        ("::", "192.168.1.7", "http://127.0.0.1:9/", "http://192.168.1.7:9"),
        (ALL, "192.168.1.7", "http://10.0.0.5:8088/", "http://10.0.0.5:8088"),
        (ALL, "192.168.1.7", "http://jungle.local:8088/", "http://jungle.local:8088"),
        (ALL, None, "http://localhost:8088/", "http://localhost:8088"),
    ],
)
def test_invitations_have_an_address_that_others_can_reach(
    host: str, here: str | None, asked: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invite, "network_address", lambda: here)
    assert invite.base_url(Config("…", host=host), URL(asked)) == expected
    assert invite.base_url(Config("…", host=host, public_url="https://t.example"), URL(asked)) == ("https://t.example")


def test_the_addresses_printed_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invite, "network_address", lambda: "192.168.1.7")
    assert invite.serving_at(Config("…", host=ALL)) == ["http://localhost:8088", "http://192.168.1.7:8088"]
    assert invite.serving_at(Config("…", host="::1", port=9)) == ["http://localhost:9"]
    assert invite.serving_at(Config("…", host="fe80::1")) == ["http://[fe80::1]:8088"]
    assert invite.serving_at(Config("…", public_url="https://t.example/")) == ["https://t.example"]


def test_the_address_of_this_machine_is_one_that_can_be_bound() -> None:
    import socket

    address = invite.network_address()
    if address is not None:
        with socket.socket() as probe:
            probe.bind((address, 0))
    assert address is None or not invite.is_loopback(address)


def test_a_code_for_the_terminal_only_where_it_can_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def shown(encoding: str) -> str:
        raw = io.BytesIO()
        stderr: Any = io.TextIOWrapper(raw, encoding=encoding)
        monkeypatch.setattr(sys, "stderr", stderr)
        serve._show_code("http://192.168.1.7:8088")
        stderr.flush()
        return raw.getvalue().decode(encoding)

    assert "█" in shown("utf-8") and shown("ascii") == ""
