"""The queue of a socket is bounded, whatever is sent to it."""

from __future__ import annotations

import asyncio

from tikal.server.http.outbox import Budget, Outbox, Waiting


def test_texts_come_out_in_order_and_count_by_their_bytes() -> None:
    async def whole() -> None:
        budget = Budget(100)
        outbox = Outbox(10, budget)
        assert outbox.put(b"one") and outbox.put(b"x" * 20)  # one more may exceed the limit: a large one must pass, too
        assert not outbox.put(b"three")
        assert budget.used == 23
        assert [outbox.take(), outbox.take()] == [b"one", b"x" * 20]
        assert budget.used == 0 and outbox.put(b"three")

    asyncio.run(whole())


def test_updates_of_a_table_are_one_and_keep_their_place() -> None:
    async def whole() -> None:
        budget = Budget(100)
        outbox = Outbox(10, budget)
        outbox.put_update("t1", 5, b"five")
        outbox.put(b"ack")
        outbox.put_update("t2", 1, b"other")
        for seq in range(6, 1000):
            outbox.put_update("t1", seq, b"u" * 50)
        outbox.put_update("t3", 9, b"late")
        assert budget.used == len("ack") + len("other") + len("late") and len(outbox) == 4
        assert [outbox.take() for _ in range(4)] == [
            Waiting("t1", 5, None),
            b"ack",
            Waiting("t2", 1, b"other"),
            Waiting("t3", 9, b"late"),
        ]
        outbox.put_update("t1", 1000, b"six")  # the previous one is being sent
        assert outbox.take() == Waiting("t1", 1000, b"six") and budget.used == 0

    asyncio.run(whole())


def test_an_update_grows_while_the_other_side_is_not_ready() -> None:
    async def whole() -> None:
        outbox = Outbox(10, Budget(100))
        outbox.put_update("t1", 5, b"five")
        assert await outbox.filled()
        outbox.put_update("t1", 6, b"six")
        assert outbox.take() == Waiting("t1", 5, None)
        assert len(outbox) == 0
        outbox.finish()
        assert not await outbox.filled()

    asyncio.run(whole())


def test_a_full_outbox_keeps_no_texts_of_updates() -> None:
    async def whole() -> None:
        outbox = Outbox(3, Budget(100))
        assert outbox.put(b"full")
        outbox.put_update("t1", 5, b"text")
        assert [outbox.take(), outbox.take()] == [b"full", Waiting("t1", 5, None)]

    asyncio.run(whole())


def test_the_total_limit_of_sockets_does_not_affect_readers() -> None:
    async def whole() -> None:
        budget = Budget(10)
        slow, quick = Outbox(100, budget), Outbox(100, budget)
        assert slow.put(b"x" * 10) and not slow.put(b"more")
        assert quick.put(b"y") and quick.take() == b"y"
        slow.finish()
        assert budget.used == 0 and slow.take() is None

    asyncio.run(whole())
