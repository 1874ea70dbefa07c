"""The order of the fair queue; it depends only on the calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from tikal.server.bots.fair import REVERSED, Asker, FairQueue, Gate, Rank

LIVE, DAILY, BOTS = Rank.LIVE, Rank.DAILY, Rank.BOTS


def fill(queue: FairQueue[str], jobs: Iterable[tuple[str, Asker]]) -> None:
    for job, asker in jobs:
        queue.put(job, asker)


def drain(queue: FairQueue[str]) -> list[str]:
    """All jobs in the order in which one worker does them."""
    order = []
    while (taken := queue.take()) is not None:
        order.append(taken[0])
        queue.release(taken[1])
    return order


def test_people_of_different_addresses_take_turns_however_many_jobs_one_of_them_has() -> None:
    queue = FairQueue[str](1, 1)
    fill(queue, ((f"g{n}", Asker(LIVE, "guest", "1")) for n in range(4)))
    fill(queue, [("ann", Asker(LIVE, "ann", "2"))])
    assert drain(queue) == ["g0", "ann", "g1", "g2", "g3"]


def test_many_guests_of_one_address_count_as_one_address() -> None:
    queue = FairQueue[str](1, 1)
    fill(queue, ((f"g{n}", Asker(LIVE, f"guest{n}", "1")) for n in range(5)))
    fill(queue, ((f"ann{n}", Asker(LIVE, "ann", "2")) for n in range(2)))
    assert drain(queue) == ["g0", "ann0", "g1", "ann1", "g2", "g3", "g4"]


def test_people_of_one_address_take_turns() -> None:
    queue = FairQueue[str](1, 1)
    fill(queue, ((f"a{n}", Asker(LIVE, "ann", "1")) for n in range(3)))
    fill(queue, ((f"b{n}", Asker(LIVE, "bob", "1")) for n in range(2)))
    assert drain(queue) == ["a0", "b0", "a1", "b1", "a2"]


def test_live_games_go_before_daily_ones_and_games_of_bots_come_last() -> None:
    queue = FairQueue[str](1, 1)
    fill(queue, [("bots", Asker(BOTS, "a")), ("daily", Asker(DAILY, "b")), ("live", Asker(LIVE, "c"))])
    fill(queue, [("advice", Asker(Rank.ADVICE, "d"))])
    assert drain(queue) == ["live", "advice", "daily", "bots"]


def test_no_rank_waits_for_ever() -> None:
    queue = FairQueue[str](1, 1)
    fill(queue, ((f"live{n}", Asker(LIVE, "a", "1")) for n in range(3 * REVERSED)))
    fill(queue, [("daily", Asker(DAILY, "b", "2")), ("bots", Asker(BOTS, "c", "3"))])
    order = drain(queue)
    assert order.index("bots") == REVERSED - 1 and order.index("daily") == 2 * REVERSED - 1


def test_one_person_never_holds_all_workers() -> None:
    queue = FairQueue[str](3, 2)
    guest, ann = Asker(LIVE, "guest", "1"), Asker(BOTS, "ann", "2")
    fill(queue, ((f"g{n}", guest) for n in range(5)))
    assert [queue.take(), queue.take(), queue.take()] == [("g0", guest), ("g1", guest), None]
    fill(queue, [("ann", ann)])
    assert queue.take() == ("ann", ann) and queue.running == 3
    queue.release(guest)
    assert queue.take() == ("g2", guest) and len(queue) == 2


def test_a_job_that_no_longer_waits_is_not_served() -> None:
    queue = FairQueue[str](1, 1)
    ann = Asker(LIVE, "ann", "1")
    fill(queue, [("gone", ann), ("stays", ann)])
    queue.remove("gone", ann)
    assert drain(queue) == ["stays"] and len(queue) == 0


def test_a_gate_respects_the_slots_and_survives_cancellation() -> None:
    async def whole() -> None:
        gate, inside, go = Gate(1, 1), [], asyncio.Event()

        async def use(name: str) -> None:
            async with gate.turn(Asker(LIVE, name)):
                inside.append(name)
                await go.wait()

        tasks = {name: asyncio.create_task(use(name)) for name in ("a", "b", "c", "d")}
        await asyncio.sleep(0)
        tasks["b"].cancel()  # while it waits
        tasks["a"].cancel()  # while it is inside
        await asyncio.gather(tasks["a"], tasks["b"], return_exceptions=True)
        await asyncio.sleep(0)
        assert inside == ["a", "c"] and len(gate.queue) == 1
        gate.resize(2, 2)
        await asyncio.sleep(0)
        assert inside == ["a", "c", "d"]
        go.set()
        await asyncio.gather(tasks["c"], tasks["d"])
        assert gate.queue.running == 0

    asyncio.run(whole())
