"""The menu: every legal action can be reached by numbers alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tikal.cli.menu import Choice, Walk, find, menu_of

ACTIONS = ["+L@a1", "+W@a1", ".", "C@b2", "D@b3", "GL@c3", "GW@c3", "L:b2-b3", "M@c3", "O:a1-a2", "R:2@c3"]
ACTIONS += ["S:2:3/5", "W:a1-a2", "W:a1-b2", "W:a1=b2", "X@a2"]


def leaves(menu: Sequence[Choice]) -> Iterator[tuple[str, ...]]:
    for choice in menu:
        assert bool(choice.actions) != bool(choice.choices)
        yield from [choice.actions] if choice.actions else leaves(choice.choices)


def test_every_action_is_in_it_once() -> None:
    assert sorted(leaves(menu_of(ACTIONS))) == sorted((action,) for action in ACTIONS)


def test_actions_are_grouped_by_kind() -> None:
    labels = [choice.label for choice in menu_of(ACTIONS)]
    work = "work: excavate, dig or exchange"
    assert labels == ["bring in a member", "walk", work, "camps and guards", "end the turn"]


def test_walks_of_several_steps_are_one_choice() -> None:
    walks = [Walk(("W:a1-b2", "W:b2-b3"), 3), Walk(("W:a1-b2",), 1), Walk(("L:b2-b3",), 2)]
    menu = menu_of([".", "W:a1-b2", "L:b2-b3"], walks)
    walk = next(choice for choice in menu if choice.label == "walk")
    assert [choice.label for choice in walk.choices] == ["a worker on a1", "the leader on b2"]
    assert [(choice.label, choice.actions) for choice in walk.choices[0].choices] == [
        ("a worker walks from a1 to b2 (1 AP)", ("W:a1-b2",)),
        ("a worker walks from a1 to b3 via b2 (3 AP)", ("W:a1-b2", "W:b2-b3")),
    ]


def test_placing_asks_for_the_hex_first() -> None:
    places = ["A5@a3^0", "A5@b3^0", "A5@b3^2"]
    menu = menu_of(places, passages={action: f"like {action}" for action in places})
    assert [choice.label for choice in menu] == [
        "place A5 (treasures 4) on a3 (like A5@a3^0)",
        "on b3 (2 ways to turn it)",
    ]
    assert menu[0].actions == ("A5@a3^0",)
    turns = menu[1].choices
    assert [choice.label for choice in turns] == ["not turned (like A5@b3^0)", "turned by 2 (like A5@b3^2)"]


def test_bids_and_tokens_are_chosen_by_their_number() -> None:
    bids = menu_of(["B:-", "B:10", "B:11", "B:9"])
    assert [(choice.key, choice.actions) for choice in bids] == [
        ("0", ("B:-",)), ("9", ("B:9",)), ("10", ("B:10",)), ("11", ("B:11",)),
    ]  # fmt: skip
    tokens = menu_of(["J:0", "J:1", "J:2"])
    assert [choice.key for choice in tokens] == ["0", "1", "2"]
    chosen = find(tokens, "2")
    assert chosen is not None
    assert chosen.actions == ("J:2",)
    assert find(tokens, "3") is None


def test_tiles_and_decisions_are_plain_lists() -> None:
    assert [choice.label for choice in menu_of(["K:A5", "K:B6"])] == [
        "take A5 (treasures 4)",
        "take B6 (volcano)",
    ]
    assert [choice.actions for choice in menu_of(["V:+", "V:-"])] == [("V:+",), ("V:-",)]
