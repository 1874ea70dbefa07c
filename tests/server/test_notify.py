"""Turn notifications: over sockets and by webhooks, which call nothing private, delay nothing and rest on failure."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Json, Site, Somebody, hear, send, serving
from tests.server.tables import at_table, end_turn
from tikal.server.errors import Refused
from tikal.server.live import notify
from tikal.server.live.notify import MOST_FAILURES, Caller, Undelivered, check_url, is_public
from tikal.words.texts import text

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.2.1", "0.0.0.1",
    "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1",
    "fec0::1", "ff02::1", "2001:db8::1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1", "2002:7f00:1::",
    "2001:0:1::1",
]  # fmt: skip


class Receiver:
    """A small web server that keeps what it receives, and answers as configured."""

    def __init__(self) -> None:
        self.got: list[tuple[str, Json]] = []
        self.answer = "204 No Content"
        self.more = asyncio.Event()
        self.hold: asyncio.Event | None = None
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://hooks.example:{self.port}/tikal?key=secret"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(head.lower().partition("content-length: ")[2].split()[0])
        body = json.loads(await reader.readexactly(length))
        if self.hold is not None:
            await self.hold.wait()
        self.got.append((head, body))
        writer.write(f"HTTP/1.1 {self.answer}\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()
        self.more.set()

    async def wait(self, count: int) -> list[Json]:
        """The received messages, once there are this many."""
        while len(self.got) < count:
            self.more.clear()
            await asyncio.wait_for(self.more.wait(), 60)
        return [body for _, body in self.got]


@asynccontextmanager
async def receiving(site: Site, port: int = 0) -> AsyncIterator[Receiver]:
    """A receiver that every name resolves to."""
    receiver = Receiver()

    async def here(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    site.hub.notifier.caller.resolve = here
    async with await asyncio.start_server(receiver.serve, "127.0.0.1", port) as server:
        receiver.port = server.sockets[0].getsockname()[1]
        yield receiver


def no_pauses(site: Site) -> list[float]:
    """Makes waiting fast; lists the pauses that would have been."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    site.hub.notifier.sleep = sleep
    return pauses


async def two(site: Site) -> tuple[str, Somebody, Somebody]:
    ann, bob = await site.person("Ann"), await site.person("Bob")
    return await at_table(ann, bob, {"kind": "daily"}), ann, bob


# Sockets


def test_every_socket_of_a_person_hears_when_it_is_its_turn(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        table, ann, bob = await two(site)
        eve, stranger = await site.person("Eve"), site.know(None)
        async with bob.socket() as one, bob.socket() as two_, eve.socket() as eves, stranger.socket() as nobody:
            await end_turn(ann, table)
            deadline = (await ann.get(f"/tables/{table}"))["info"]["clock"]["deadline"]
            for socket in (one, two_):
                assert await hear(socket) == {"type": "turn", "table": table, "seat": 2, "deadline": deadline}
            async with ann.socket() as anns:
                await end_turn(bob, table)
                assert (await hear(anns))["type"] == "turn"
            for socket in (one, two_, eves, nobody):  # and nobody else got it
                await send(socket, type="ping")
                assert (await hear(socket))["type"] == "pong"

    play_out(scenario)


def test_a_player_of_several_seats_gets_one_notification(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        table = (await ann.post("/tables", {"seats": ["me", "person:Bob"]}))["id"]
        async with ann.socket() as socket:
            await ann.post(f"/tables/{table}/start")
            assert (await hear(socket))["type"] == "turn"
            await end_turn(ann, table)
            await send(socket, type="ping")
            assert (await hear(socket))["type"] == "pong"

    play_out(scenario)


# Webhooks


def test_a_webhook_is_called_at_the_person_s_turn_and_reveals_nothing_else(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with receiving(site) as receiver:
            table, ann, bob = await two(site)
            body = {"url": receiver.url}
            assert await bob.post("/me/webhook", body, "PUT") == {**body, "failures": 0, "enabled": True}
            await end_turn(ann, table)
            (told,) = await receiver.wait(1)
            deadline = (await ann.get(f"/tables/{table}"))["info"]["clock"]["deadline"]
            url = f"https://tikal.example/table/{table}"
            assert told == {
                "type": "turn",
                "table": table,
                "seat": 2,
                "deadline": deadline,
                "url": url,
                "text": text("server.turn", "en"),
            }
            head = receiver.got[0][0].lower()
            assert head.startswith("post /tikal?key=secret http/1.1\r\n")
            assert f"host: hooks.example:{receiver.port}\r\n" in head and "cookie" not in head
            assert (await ann.get("/me/webhook"))["url"] is None
            await end_turn(bob, table)
            await end_turn(ann, table)
            assert len(await receiver.wait(2)) == 2
            removed = await bob.post("/me/webhook", None, "DELETE")
            assert removed == {"url": None, "failures": 0, "enabled": False}
            await end_turn(bob, table)
            await end_turn(ann, table)
            await bob.get("/me")
            assert len(receiver.got) == 2

    play_out(scenario, private_webhooks=True, public_url="https://tikal.example/")


def test_a_webhook_never_delays_play(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with receiving(site) as receiver:
            receiver.hold = asyncio.Event()
            table, ann, bob = await two(site)
            await bob.post("/me/webhook", {"url": receiver.url}, "PUT")
            for _ in range(3):
                await end_turn(ann, table)
                await end_turn(bob, table)
            receiver.hold.set()
            assert (await receiver.wait(1))[0]["type"] == "turn"

    play_out(scenario, private_webhooks=True)


def test_it_is_tried_again_and_rests_after_too_many_failures(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with receiving(site) as receiver:
            pauses = no_pauses(site)
            table, ann, bob = await two(site)
            await bob.post("/me/webhook", {"url": receiver.url}, "PUT")
            receiver.answer = "500 Oops"

            async def failures(count: int) -> Json:
                while (hook := await bob.get("/me/webhook"))["failures"] < count:
                    await asyncio.sleep(0.01)
                return hook

            for count in range(1, MOST_FAILURES + 1):
                await end_turn(ann, table)
                hook = await failures(count)
                assert len(receiver.got) == 3 * count
                assert hook["enabled"] is (count < MOST_FAILURES)
                await end_turn(bob, table)
            assert pauses == [2.0, 20.0] * MOST_FAILURES
            await end_turn(ann, table)
            assert await bob.post("/me/webhook/test") == {
                "ok": False,
                "problem": "the answer was 500",
                "reason": {"key": "webhook_status", "values": {"status": 500}},
            }
            assert len(receiver.got) == 3 * MOST_FAILURES + 1  # the turn was not told any more
            receiver.answer = "200 OK"
            assert await bob.post("/me/webhook/test") == {"ok": True, "problem": None, "reason": None}
            assert receiver.got[-1][1] == {"type": "test", "text": text("server.test", "en")}
            assert await bob.get("/me/webhook") == {"url": receiver.url, "failures": 0, "enabled": True}
            await end_turn(bob, table)
            receiver.answer = "302 Found"  # a redirect is not followed
            assert (await bob.post("/me/webhook/test"))["problem"] == "the answer was 302"

    play_out(scenario, private_webhooks=True)


def test_a_webhook_that_is_set_while_another_is_looked_up_is_called(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with receiving(site) as receiver:
            table, ann, bob = await two(site)
            webhook, looked, held = site.hub.store.webhook, asyncio.Event(), asyncio.Event()

            async def slow(person: str) -> Any:
                found = await webhook(person)
                looked.set()
                await held.wait()
                return found

            site.hub.store.webhook = slow  # type: ignore[method-assign]
            await end_turn(ann, table)
            await looked.wait()
            site.hub.store.webhook = webhook  # type: ignore[method-assign]
            await bob.post("/me/webhook", {"url": receiver.url}, "PUT")
            held.set()
            await end_turn(bob, table)
            await end_turn(ann, table)
            assert (await receiver.wait(1))[0]["seat"] == 2

    play_out(scenario, private_webhooks=True)


def test_tests_are_limited_and_need_a_webhook(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with receiving(site) as receiver:
            ann = await site.person("Ann")
            assert await ann.refused("POST", "/me/webhook/test") == "unknown"
            await ann.post("/me/webhook", {"url": receiver.url}, "PUT")
            codes = [(await ann.ask("POST", "/me/webhook/test")).status_code for _ in range(6)]
            assert codes == [200] * 5 + [429]
            assert await site.know(None).refused("PUT", "/me/webhook", {"url": receiver.url}) == "identity"

    play_out(scenario, private_webhooks=True)


def test_it_survives_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path, private_webhooks=True) as site:
            table, ann, bob = await two(site)
            async with receiving(site) as receiver:
                await bob.post("/me/webhook", {"url": receiver.url}, "PUT")
        async with serving(tmp_path, private_webhooks=True) as site, receiving(site, receiver.port) as other:
            await end_turn(site.know(ann.token), table)
            assert (await other.wait(1))[0]["seat"] == 2

    asyncio.run(asyncio.wait_for(scenario(), 120))


def test_one_person_s_silent_webhook_does_not_delay_those_of_others(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann, bob, eve = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
        async with receiving(site) as silent, receiving(site) as receiver:
            silent.hold = asyncio.Event()
            await eve.post("/me/webhook", {"url": silent.url}, "PUT")
            await bob.post("/me/webhook", {"url": receiver.url}, "PUT")
            for _ in range(notify.AT_ONCE):
                await end_turn(ann, await at_table(ann, eve, {"kind": "daily"}))
            table = await at_table(ann, bob, {"kind": "daily"})
            await end_turn(ann, table)
            assert (await receiver.wait(1))[0]["table"] == table and not silent.got
            silent.hold.set()

    play_out(scenario, private_webhooks=True)


def test_one_person_s_waiting_calls_are_limited_and_others_still_wait(
    play_out: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notify, "WAITING", 2)

    async def scenario(site: Site) -> None:
        ann, bob, eve = [await site.person(name) for name in ("Ann", "Bob", "Eve")]
        async with receiving(site) as silent, receiving(site) as receiver:
            silent.hold = asyncio.Event()
            await eve.post("/me/webhook", {"url": silent.url}, "PUT")
            await bob.post("/me/webhook", {"url": receiver.url}, "PUT")
            for _ in range(3):
                await end_turn(ann, await at_table(ann, eve, {"kind": "daily"}))
            await end_turn(ann, await at_table(ann, bob, {"kind": "daily"}))
            await receiver.wait(1)
            silent.hold.set()
            await silent.wait(2)
            while site.hub.notifier._waiting:
                await asyncio.sleep(0.01)
            assert len(silent.got) == 2

    play_out(scenario, private_webhooks=True)


def test_new_webhooks_are_limited(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        async with receiving(site) as receiver:
            for number in range(3):  # another guest does not help
                ann = await site.person(f"Ann {number}")
                answer = await ann.ask("PUT", "/me/webhook", {"url": receiver.url})
                assert answer.status_code == (200 if number < 2 else 429)

    play_out(scenario, private_webhooks=True, webhooks=0.001, webhooks_burst=2)


def test_names_that_take_long_do_not_delay_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    held = threading.Event()

    def slow(*_: Any, **__: Any) -> list[Any]:
        held.wait()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", slow)

    async def scenario() -> None:
        lookups = [asyncio.create_task(notify.resolve("slow.example", 80)) for _ in range(40)]
        await asyncio.sleep(0)
        assert await asyncio.to_thread(lambda: "checked") == "checked"
        held.set()
        assert await asyncio.gather(*lookups) == [[]] * 40

    asyncio.run(asyncio.wait_for(scenario(), 60))


# Allowed addresses


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::1"])
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


BAD_URLS = [
    "", "nonsense", "//host/x", "ftp://hooks.example/", "file:///etc/passwd", "javascript:alert(1)", "http://",
    "https:///x", "http://user@hooks.example/", "http://user:word@hooks.example/", "http://hooks.example:99999/",
    "http://hooks.example:0x50/", "http://a b/", "http://hooks.example/" + "x" * 500, "http://hooks.example\r\nX: y/",
    "http://[::1", "gopher://hooks.example/",
]  # fmt: skip


@pytest.mark.parametrize("url", BAD_URLS)
def test_invalid_urls_are_refused(url: str) -> None:
    with pytest.raises(Refused) as refused:
        check_url(url)
    assert refused.value.code == "webhook"


def test_private_addresses_are_refused_by_name_and_by_number(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        ann = await site.person("Ann")
        numbers = ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "10.0.0.1", "[::ffff:127.0.0.1]", "169.254.169.254"]
        for host in numbers:
            assert await ann.refused("PUT", "/me/webhook", {"url": f"http://{host}/"}) == "webhook", host

        async def mixed(host: str, port: int) -> Sequence[str]:
            return ["8.8.8.8", "10.0.0.1"]

        async def unknown(host: str, port: int) -> Sequence[str]:
            raise OSError

        site.hub.notifier.caller.resolve = mixed
        wrong = (await ann.ask("PUT", "/me/webhook", {"url": "https://hooks.example/"})).json()
        site.hub.notifier.caller.resolve = unknown
        assert (await ann.ask("PUT", "/me/webhook", {"url": "https://hooks.example/"})).json() == wrong
        assert wrong["error"]["code"] == "webhook"
        assert (await ann.get("/me/webhook"))["url"] is None

    play_out(scenario)


def test_a_name_that_changes_its_mind_leads_nowhere() -> None:
    # DNS rebinding: public when it is checked, private when it is called. It is resolved once for each call.
    async def scenario() -> None:
        reached: list[str] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            reached.append("connected")
            writer.close()

        answers = [["8.8.8.8"], ["127.0.0.1"]]

        async def changing(host: str, port: int) -> Sequence[str]:
            return answers.pop(0) if answers else ["127.0.0.1"]

        caller = Caller(private=False)
        caller.resolve = changing
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            url = f"http://rebind.example:{server.sockets[0].getsockname()[1]}/"
            assert await caller.address_of(check_url(url)) == "8.8.8.8"  # when it was set
            with pytest.raises(Undelivered, match="not public"):
                await caller.call(url, {})
            with pytest.raises(Undelivered, match="not public"):
                await caller.call(url.replace("rebind.example", "127.0.0.1"), {})
        assert reached == []
        await caller.close()

    asyncio.run(scenario())


def test_silent_webhooks_do_not_delay_play(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\nx")  # nothing of it is read
            await reader.read()
            writer.close()

        async def here(host: str, port: int) -> Sequence[str]:
            return ["127.0.0.1"]

        caller = Caller(private=True)
        caller.resolve = here
        monkeypatch.setattr("tikal.server.live.notify.PATIENCE_S", 0.2)
        async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
            with pytest.raises(Undelivered, match="no answer in time"):
                await caller.call(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
        monkeypatch.setattr("tikal.server.live.notify.PATIENCE_S", 30.0)
        async with await asyncio.start_server(endless, "127.0.0.1", 0) as server:
            await caller.call(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
            port = server.sockets[0].getsockname()[1]
        with pytest.raises(Undelivered, match="no connection"):
            await caller.call(f"http://127.0.0.1:{port}/", {})
        await caller.close()

    asyncio.run(scenario())


def test_the_address_of_a_webhook_is_not_logged(
    play_out: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def scenario(site: Site) -> None:
        async with receiving(site) as receiver:
            no_pauses(site)
            table, ann, bob = await two(site)
            await bob.post("/me/webhook", {"url": receiver.url}, "PUT")
            receiver.answer = "500 Oops"
            await end_turn(ann, table)
            await receiver.wait(3)

    play_out(scenario, private_webhooks=True)
    ours: list[Any] = [record for record in caplog.records if not record.name.startswith("httpcore")]
    assert not [record for record in ours if "hooks.example" in record.getMessage()]


def test_waiting_calls_are_tried_once_more_before_the_server_stops(play_out: Callable[..., None]) -> None:
    async def scenario(site: Site) -> None:
        failed = asyncio.Event()

        async def never(_seconds: float) -> None:
            failed.set()
            await asyncio.Event().wait()

        async with receiving(site) as receiver:
            site.hub.notifier.sleep = never
            table, ann, bob = await two(site)
            await bob.post("/me/webhook", {"url": receiver.url}, "PUT")
            receiver.answer = "500 Oops"
            await end_turn(ann, table)
            await failed.wait()  # until the first answer has arrived; waiting for the call alone would be too short
            receiver.answer = "204 No Content"
            await site.hub.notifier.finish(60)
            assert [message["table"] for _, message in receiver.got] == [table, table]
            assert (await bob.get("/me/webhook"))["failures"] == 0

    play_out(scenario, private_webhooks=True)


@pytest.mark.parametrize("moved_on", [False, True])
def test_unsent_calls_are_sent_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved_on: bool
) -> None:
    """Unless the turn is over by then."""
    begun, sent, told = asyncio.Event(), asyncio.Event(), []
    monkeypatch.setattr("tikal.server.live.hub.LAST_CALLS_S", 0.0)

    async def hang(_self: Caller, _url: str, _message: Json) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def take(_self: Caller, _url: str, message: Json) -> None:
        told.append(message["table"])
        sent.set()

    async def whole() -> None:
        monkeypatch.setattr(Caller, "call", hang)
        async with serving(tmp_path, private_webhooks=True) as site:
            table, ann, bob = await two(site)
            await bob.post("/me/webhook", {"url": "http://127.0.0.1:9/"}, "PUT")
            await end_turn(ann, table)
            await begun.wait()
            if moved_on:
                await end_turn(bob, table)
        monkeypatch.setattr(Caller, "call", take)
        async with serving(tmp_path, private_webhooks=True) as site:
            if not moved_on:
                await sent.wait()
            await site.hub.notifier.resume()  # nothing is left for a second one
            assert told == ([] if moved_on else [table])

    asyncio.run(whole())


@pytest.mark.parametrize("when", ["it fails", "its address is looked up"])
def test_a_server_may_stop_at_any_moment_of_a_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    begun, sent = asyncio.Event(), asyncio.Event()
    monkeypatch.setattr("tikal.server.live.hub.LAST_CALLS_S", 0.0 if when != "it fails" else 60.0)

    async def hang(*_: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def fail(*_: object) -> None:
        begun.set()
        raise Undelivered("webhook", "the answer was 500", "webhook_status", status=500)

    async def take(*_: object) -> None:
        sent.set()

    async def whole() -> None:
        async with serving(tmp_path, private_webhooks=True) as site:
            site.hub.notifier.sleep = hang
            table, ann, bob = await two(site)
            await bob.post("/me/webhook", {"url": "http://127.0.0.1:9/"}, "PUT")
            if when == "it fails":
                monkeypatch.setattr(Caller, "call", fail)
            else:
                monkeypatch.setattr(site.hub.store, "webhook", hang)
            await end_turn(ann, table)
            await begun.wait()
        monkeypatch.setattr(Caller, "call", take)
        async with serving(tmp_path, private_webhooks=True) as site:
            await asyncio.wait_for(sent.wait(), 60)
            assert (await site.know(bob.token).get("/me/webhook"))["failures"] == 0

    asyncio.run(whole())
