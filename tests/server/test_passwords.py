"""Passwords: set, used on another device, changed, removed, hard to guess. Revoked tokens end their sockets."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.conftest import Json, Site, Somebody, hear, send, serving
from tikal.server.accounts.passwords import HASHER, Passwords
from tikal.server.errors import Refused
from tikal.server.http.messages import PlayMessage
from tikal.server.http.sockets import Socket

FIRST, SECOND = "correct horse", "battery staple"


async def with_password(site: Site, name: str = "Ann", login: str = "Ann") -> Somebody:
    somebody = await site.person(name)
    await somebody.post("/me/password", {"login": login, "password": FIRST}, "PUT")
    return somebody


async def log_in(site: Site, login: str, password: str) -> Somebody:
    answer = await site.know(None).post("/people/login", {"login": login, "password": password})
    return site.know(answer["token"], answer["name"])


async def refused_in(site: Site, login: str, password: str) -> Json:
    answer = await site.know(None).ask("POST", "/people/login", {"login": login, "password": password})
    error: Json = answer.json()["error"]
    return error


def test_a_password_opens_the_same_identity_on_another_device(play_out: Callable[..., None], tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        ann = await with_password(site)
        table = (await ann.post("/tables", {"seats": ["me", "open"], "public": False}))["id"]
        assert await ann.get("/me") == {"name": "Ann", "login": "ann", "language": None}
        phone = ann
        for login in ("Ann", "ann", " ANN ", "Ａnn"):  # case, width and outer spaces don't matter
            phone = await log_in(site, login, FIRST)
            assert [row["id"] for row in (await phone.get("/me/tables"))["tables"]] == [table]
        assert phone.token != ann.token
        for file in tmp_path.glob("server.db*"):
            content = file.read_bytes()
            assert FIRST.encode() not in content and str(phone.token).encode() not in content

    play_out(scenario)


def test_the_cookie_of_a_log_in_is_as_strict_as_any(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        await with_password(site)
        answer = await site.know(None).ask("POST", "/people/login", {"login": "ann", "password": FIRST})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie and "secure" in cookie

    play_out(scenario, public_url="https://tikal.example")


def test_names_are_unique_without_regard_to_case(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        await with_password(site, "Ann", "Straße")
        bob = await site.person("Bob")
        for login in ("straße", "STRASSE", " Strasse"):
            assert await bob.refused("PUT", "/me/password", {"login": login, "password": FIRST}) == "taken"
        assert (await bob.get("/me"))["login"] is None
        await bob.post("/me/password", {"login": "Bob", "password": FIRST}, "PUT")
        assert (await log_in(site, "bob", FIRST)).name == "Bob"

    play_out(scenario)


BAD: list[tuple[Any, str]] = [
    ({"login": "Ann"}, "malformed"),
    ({"login": "Ann", "password": 12345678}, "malformed"),
    ({"login": "Ann", "password": "x" * 401}, "malformed"),
    ({"login": "Ann", "password": "x" * 201}, "password"),
    ({"login": "Ann", "password": "short"}, "password"),
    ({"login": "correct horse", "password": "Correct Horse"}, "password"),
    ({"login": "", "password": FIRST}, "name"),
    ({"login": " ", "password": FIRST}, "name"),
    ({"login": "x" * 41, "password": FIRST}, "name"),
    ({"login": "a\u202eb", "password": FIRST}, "name"),
    ({"login": "Ann", "password": FIRST, "name": "x"}, "malformed"),
]


def test_invalid_names_and_passwords_are_refused(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        assert [(body, await ann.refused("PUT", "/me/password", body)) for body, _ in BAD] == BAD
        assert await ann.refused("POST", "/me/password/remove", {"current": FIRST}) == "unknown"
        assert (await ann.get("/me"))["login"] is None
        assert await site.know(None).refused("PUT", "/me/password", {"login": "A", "password": FIRST}) == "identity"

    play_out(scenario)


def test_a_change_needs_the_password_before_and_logs_other_devices_out(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await with_password(site)
        phone = await log_in(site, "Ann", FIRST)
        link = (await ann.post("/me/link"))["token"]
        change = {"login": "Anna", "password": SECOND}
        for current in ({}, {"current": None}, {"current": SECOND}, {"current": ""}):
            assert await ann.refused("PUT", "/me/password", change | current) == "rights"
        assert (await phone.get("/me"))["login"] == "ann"  # nothing has changed
        await ann.post("/me/password", change | {"current": FIRST}, "PUT")
        assert await phone.refused("GET", "/me") == "identity"
        assert await ann.refused("POST", "/people/claim", {"token": link}) == "identity"
        assert (await ann.get("/me"))["login"] == "anna"
        for login, password in (("Ann", FIRST), ("Anna", FIRST), ("Ann", SECOND)):
            assert (await refused_in(site, login, password))["code"] == "identity"
        await log_in(site, "Anna", SECOND)

    play_out(scenario)


def test_a_password_can_be_removed_and_the_name_is_free_again(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await with_password(site)
        phone = await log_in(site, "Ann", FIRST)
        assert await ann.refused("POST", "/me/password/remove", {"current": SECOND}) == "rights"
        assert await ann.post("/me/password/remove", {"current": FIRST}) == {
            "name": "Ann",
            "login": None,
            "token": None,
            "language": None,
        }
        assert (await phone.get("/me"))["login"] is None
        assert (await refused_in(site, "Ann", FIRST))["code"] == "identity"
        await with_password(site, "Other Ann", "ANN")

    play_out(scenario)


def test_it_survives_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path) as site:
            await with_password(site)
        async with serving(tmp_path) as site:
            assert (await log_in(site, "ann", FIRST)).name == "Ann"

    asyncio.run(scenario())


def test_an_unknown_name_is_refused_in_the_same_words_and_time(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[bool] = []
    right = Passwords._right

    async def counting(self: Passwords, password: str, hashed: str) -> bool:
        checked.append(hashed.startswith("$argon2id$") and not HASHER.check_needs_rehash(hashed))
        return await right(self, password, hashed)

    async def scenario(site: Site) -> None:
        await with_password(site)
        monkeypatch.setattr(Passwords, "_right", counting)
        wrong = await refused_in(site, "Ann", SECOND)
        assert wrong["code"] == "identity"
        assert await refused_in(site, "Nobody", SECOND) == wrong
        assert await refused_in(site, "Nobody", "nobody") == wrong
        assert checked == [True] * 3

    play_out(scenario)


def test_guessing_is_limited_by_name_by_address_and_by_person(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await with_password(site)
        codes = [(await refused_in(site, "Ann", f"wrong {n}"))["code"] for n in range(4)]
        assert codes == ["identity"] * 3 + ["rate"]
        assert (await refused_in(site, "Ann", FIRST))["code"] == "rate"  # also the right one
        assert (await refused_in(site, "Bob", FIRST))["code"] == "rate"  # this address has made too many attempts
        body = {"login": "Ann", "password": SECOND, "current": "wrong"}
        codes = [await ann.refused("PUT", "/me/password", body) for _ in range(4)]
        assert codes == ["rights"] * 3 + ["rate"]
        assert await ann.refused("POST", "/me/password/remove", {"current": FIRST}) == "rate"

    play_out(scenario, logins=0.0001, logins_burst=3)


def test_the_limit_holds_for_a_name_from_many_addresses(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, logins=0.0001, logins_burst=2) as site:
            await with_password(site)
            passwords = site.hub.passwords
            await passwords.log_in("ann", FIRST, "192.0.2.200", "first")
            codes = []
            for number in range(21):
                with pytest.raises(Refused) as refused:
                    await passwords.log_in("ann", "wrong guess", f"192.0.2.{number}", "hash")
                codes.append(refused.value.code)
            assert codes == ["identity"] * 19 + ["rate"] * 2
            # strangers can't lock the name where its owner has logged in before
            assert (await passwords.log_in("ann", FIRST, "192.0.2.200", "second")).login == "ann"

    asyncio.run(scenario())


def test_trying_many_names_does_not_reveal_which_are_taken(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        await with_password(site)
        guests = [await site.person(f"Guest {number}") for number in range(4)]
        body = {"login": "Ann", "password": SECOND}
        codes = [await guest.refused("PUT", "/me/password", body) for guest in guests]
        assert codes == ["taken"] * 3 + ["rate"]  # a new identity does not help

    play_out(scenario, logins=0.0001, logins_burst=2)


def test_passwords_are_not_logged(play_out: Callable[..., None], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def scenario(site: Site) -> None:
        await with_password(site)
        await log_in(site, "Ann", FIRST)
        wrong = await site.know(None).ask("POST", "/people/login", {"login": "Ann", "password": SECOND})
        assert SECOND not in wrong.text
        malformed = await site.know(None).ask("POST", "/people/login", {"login": "Ann", "password": [SECOND]})
        assert SECOND not in malformed.text

    play_out(scenario)
    assert FIRST not in caplog.text and SECOND not in caplog.text and "argon2id" not in caplog.text


# Sockets whose token is revoked


async def must_end(socket: Any) -> None:
    with pytest.raises(ConnectionClosed) as closed:
        await hear(socket, "never")
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "revoked")


def test_a_socket_ends_when_its_token_is_revoked_and_others_stay(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob = await with_password(site), await site.person("Bob")
        phone, tablet = await log_in(site, "Ann", FIRST), await log_in(site, "Ann", FIRST)
        async with ann.socket() as mine, bob.socket() as bobs, phone.socket() as first, tablet.socket() as second:
            assert (await tablet.ask("DELETE", "/me/session")).status_code == 204
            await must_end(second)
            await send(first, type="ping")
            await hear(first, "pong")
            assert (await ann.ask("DELETE", "/me/sessions")).status_code == 204
            await must_end(first)
            third = await log_in(site, "Ann", FIRST)
            async with third.socket() as other:
                body = {"login": "Ann", "password": SECOND, "current": FIRST}
                await ann.post("/me/password", body, "PUT")
                await must_end(other)
            for socket in (mine, bobs):
                await send(socket, type="ping")
                await hear(socket, "pong")

    play_out(scenario)


def test_nothing_is_done_for_a_socket_after_its_token_was_revoked(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await with_password(site)
        table = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
        await ann.post(f"/tables/{table}/start")
        place = (await ann.get(f"/tables/{table}"))["offer"]["actions"][0]["action"]
        async with ann.socket() as socket:
            await send(socket, type="watch", table=table)
            await hear(socket, "update")
            async with site.hub.room(table) as room:
                (connection,) = room.listeners
            assert isinstance(connection, Socket)
            connection.revoke()  # read before the revocation and answered after it
            with pytest.raises(Refused, match="identify yourself"):
                await connection._do(PlayMessage(type="play", table=table, id="late", on=1, actions=[place]))
            await must_end(socket)
        assert (await ann.get(f"/tables/{table}"))["seq"] == 1

    play_out(scenario)
