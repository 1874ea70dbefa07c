"""The whole of Tikal, a second reading of rules.md, as plain as possible and without regard to speed.

A game is one generator (`Oracle._game`) that reads like the rules: wherever a seat must decide it hands over
with `yield from self._ask(...)` and is sent the action that was chosen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Mapping
from functools import partial

from .chance import put_back_volcanoes
from .position import Position, TurnLimits
from .tables import TILES, TREASURE_KINDS, TURN_AP, VOLCANOES

Flow = Generator[None, str, None]
Asking = Generator[None, str, str]


class DiceError(ValueError):
    """`X@` with `boulders` when no dice are left (`err dice` of the protocol)."""


class _SuddenDeathError(Exception):
    """The third volcano of `sudden_death` is placed: the game is over at once."""


class Oracle(Position):
    """A game with known chance.

    >>> g = Oracle({"players": 2}, deck, treasures)   # doctest: +SKIP
    >>> g.play("A5@b3^0"); g.seat, g.phase            # doctest: +SKIP
    (1, 'act')
    """

    def __init__(
        self,
        options: Mapping[str, object],
        deck: list[str],
        treasures: list[int],
        dice: list[int] | None = None,
    ) -> None:
        super().__init__(options, deck, treasures, dice or [])
        self.phase = ""
        self.seat: int | None = None
        self.tiles_unseen = len(TILES)
        self.tile: str | None = None
        self.discarded: list[str] = []
        self.display: list[str] = []
        self.held: dict[int, str] = {}
        self.bid = 0
        self.last_volcano_seat: int | None = None
        self.volcanoes_taken = 0
        self.round_volcanoes = 0
        self.round_scored = False
        self.winners: list[int] | None = None

        self._choices: Callable[[], list[str]] = list
        self._flow = self._game()
        next(self._flow)

    # ---------------------------------------------------------------- the outside

    def legal(self) -> list[str]:
        """All legal actions in ASCII order; none when the game is over."""
        return sorted(self._choices())

    def play(self, action: str) -> None:
        """Play one action; ValueError, and nothing changes, if it is not legal."""
        if action not in self.legal():
            raise ValueError(f"{action} is not legal for seat {self.seat} in {self.phase}")
        if action.startswith("X@") and self.options["boulders"] and not self.dice:
            raise DiceError("no dice left")
        with contextlib.suppress(StopIteration):
            self._flow.send(action)

    def status(self) -> dict[str, object]:
        """The `status` of notation.md."""
        players = [self.players[seat] for seat in self.seats]
        explored = [hex_ for hex_ in self.hexes.values() if hex_.explored]
        return {
            "phase": self.phase,
            "seat": self.seat,
            "ap": self.ap,
            "tile": self.tile,
            "deck_left": self.tiles_unseen,
            "display": sorted(self.display),
            "bid": self.bid,
            "scores": [player.score for player in players],
            "treasures": [[player.treasures[kind] for kind in TREASURE_KINDS] for player in players],
            "levels": {hex_.name: hex_.level for hex_ in explored if hex_.terrain == "temple"},
            "tiles": {hex_.name: f"{hex_.tile}^{hex_.rotation}" for hex_ in explored if hex_.tile},
            "workers": [dict(player.workers) for player in players],
            "leader": [player.leader for player in players],
            "reserve": [player.reserve for player in players],
            "camps": dict(self.camps),
            "guards": dict(self.guards),
            "guns": sorted(self.guns),
            "obstacles": sorted(f"{a}-{b}" for a, b in self.obstacles),
            "tokens": {hex_.name: len(hex_.tokens) for hex_ in explored if hex_.terrain == "treasure"},
            "supply": {str(level): left for level, left in self.level_supply.items()},
            "winners": self.winners,
        }

    # ---------------------------------------------------------------- the course of the game

    def _game(self) -> Flow:
        try:
            if self.options["leaps"]:
                yield from self._leaps_game()
            elif self.options["auction"]:
                yield from self._auction_game()
            else:
                yield from self._basic_game()
        except _SuddenDeathError:
            pass
        self.phase, self.seat, self.ap, self.tile = "over", None, 0, None
        self._choices = list
        self.winners = self.find_winners()

    def _basic_game(self) -> Flow:
        seat = 1
        while True:
            (tile,) = self._turn_up(1)
            yield from self._play_tile(seat, tile)
            if not self.tiles_unseen:
                break
            seat = self.left_of(seat)
        last = seat
        if self.options["final_start"] == "after_last_volcano" and self.last_volcano_seat is not None:
            last = self.last_volcano_seat
        yield from self._scoring_round(self.clockwise_from(self.left_of(last)))

    def _auction_game(self) -> Flow:
        last = len(self.seats)
        while self.tiles_unseen:
            last = yield from self._auction_round(opener=self.left_of(last))
        yield from self._scoring_round(self._final_order(last))

    def _auction_round(self, opener: int) -> Generator[None, str, int]:
        """A round of auctions and turns; returns the last player."""
        self._start_round()
        last, without_turn = opener, self.clockwise_from(opener)
        while without_turn:
            last = yield from self._auction(without_turn)
            tile = yield from self._take(last)
            yield from self._play_tile(last, tile)
            without_turn = self._still_without(without_turn, last)
        return last

    def _still_without(self, without: list[int], winner: int) -> list[int]:
        """The remaining bidders after an auction, in the order of bidding: clockwise from the winner's left."""
        return [seat for seat in self.clockwise_from(winner) if seat in without and seat != winner]

    def _final_order(self, last: int) -> list[int]:
        """Auction game: ascending scores; of equals the nearest clockwise after `last`, that one last."""
        nearest_first = self.clockwise_from(self.left_of(last))
        return sorted(nearest_first, key=lambda seat: self.players[seat].score)

    def _play_tile(self, seat: int, tile: str) -> Flow:
        """A normal turn with a tile that was drawn or taken."""
        self.tile = tile
        ends_the_game = False
        if tile in VOLCANOES:
            self.volcanoes_taken += 1
            self.last_volcano_seat = seat
            ends_the_game = bool(self.options["sudden_death"]) and self.volcanoes_taken == 3
            scores = True
            if self._taker_is_asked():
                answer = yield from self._ask("decide", seat, lambda: ["V:+", "V:-"])
                scores = answer == "V:+"
            if scores:
                self.round_scored = True
                with_ap = not self.options["instant_scoring"]
                yield from self._scoring_round(self.clockwise_from(seat), with_ap)
        yield from self._place(seat, tile)
        if ends_the_game:
            raise _SuddenDeathError
        yield from self._turn(seat)

    def _taker_is_asked(self) -> bool:
        """`taker_decides`, for the volcano just taken (it is no longer on display)."""
        if not self.options["sudden_death"] or self.options["double_volcano"] != "taker_decides":
            return False
        if self.round_volcanoes < 2 or self.volcanoes_taken == 3:
            return False
        last_of_round = not any(tile in VOLCANOES for tile in self.display)
        return not (last_of_round and not self.round_scored)

    def _scoring_round(self, order: list[int], with_ap: bool = True) -> Flow:
        for seat in order:
            if with_ap:
                yield from self._turn(seat)
            self.players[seat].score += self.worth(seat)

    def _turn(self, seat: int) -> Flow:
        """One budget of 10 AP, with limits of its own [R3]."""
        self.limits[seat] = TurnLimits()
        self.ap = TURN_AP
        while True:
            action = yield from self._ask("act", seat, partial(self._affordable_or_end, seat), self.ap)
            if action == ".":
                return
            self.perform(seat, action)

    # ---------------------------------------------------------------- drawing, bidding, taking, placing

    def _turn_up(self, count: int) -> list[str]:
        tiles, self.deck = self.deck[:count], self.deck[count:]
        self.tiles_unseen -= count
        return tiles

    def _start_round(self) -> None:
        """Turn up as many tiles as players; `redraw` puts surplus volcanoes back while there is a deck."""
        self.display = self._turn_up(len(self.seats))
        if self.options["sudden_death"] and self.options["double_volcano"] == "redraw":
            while self.tiles_unseen:
                self.display, back = put_back_volcanoes(self.display)
                if not back:
                    break
                self.tiles_unseen += len(back)
                self.display += self._turn_up(len(back))
        self.round_volcanoes = sum(tile in VOLCANOES for tile in self.display)
        self.round_scored = False

    def _auction(self, bidders: list[int]) -> Generator[None, str, int]:
        """The winner, who has paid. `bidders` in the order of bidding; a single one wins without a bid."""
        if len(bidders) == 1:
            return bidders[0]
        waiting = list(bidders)
        passed: list[int] = []
        high_bidder: int | None = None
        while waiting and waiting != [high_bidder]:
            seat = waiting.pop(0)
            action = yield from self._ask("bid", seat, partial(self._bids, seat))
            if action == "B:-":
                passed.append(seat)
            else:
                self.bid = int(action[2:])
                high_bidder = seat
                waiting.append(seat)
        winner = high_bidder if high_bidder is not None else passed[0]
        self.players[winner].score -= self.bid
        self.bid = 0
        return winner

    def _bids(self, seat: int) -> list[str]:
        return ["B:-"] + [f"B:{n}" for n in range(self.bid + 1, self.players[seat].score + 1)]

    def _take(self, seat: int) -> Asking:
        action = yield from self._ask("take", seat, lambda: [f"K:{tile}" for tile in self.display])
        tile = action[2:]
        self.display.remove(tile)
        return tile

    def _place(self, seat: int, tile: str) -> Flow:
        self.tile = tile
        if self.places(tile):
            action = yield from self._ask("place", seat, lambda: self.places(tile))
            self.put_tile(tile, action[3:5], int(action[6:]))
        else:
            self.discarded.append(tile)
        self.tile = None

    # ---------------------------------------------------------------- leaps (section 10.6)

    def _leaps_game(self) -> Flow:
        order = self.seats
        while self.tiles_unseen:
            order, volcano_seat = yield from self._leaps_auctions(opener=self.left_of(order[-1]))
            for seat in order:
                yield from self._place(seat, self.held.pop(seat))
            yield from self._leaps_actions(order)
            if volcano_seat is not None:
                yield from self._scoring_round(order, with_ap=False)
                yield from self._turn(volcano_seat)
        yield from self._scoring_round(order, with_ap=False)

    def _leaps_auctions(self, opener: int) -> Generator[None, str, tuple[list[int], int | None]]:
        """Phase 1: the round's order, and the player who took a volcano, if any."""
        self._start_round()
        order: list[int] = []
        volcano_seat: int | None = None
        without_tile = self.clockwise_from(opener)
        while without_tile:
            winner = yield from self._auction(without_tile)
            tile = yield from self._take(winner)
            self.held[winner] = tile
            if tile in VOLCANOES:
                volcano_seat = winner
                order.insert(0, winner)
            else:
                order.append(winner)
            without_tile = self._still_without(without_tile, winner)
        return order, volcano_seat

    def _leaps_actions(self, order: list[int]) -> Flow:
        """Phase 3: choose tokens, show them, act from the fewest up; until nobody has tokens."""
        for seat in order:
            self.limits[seat] = TurnLimits()
        tokens = dict.fromkeys(order, TURN_AP)
        while any(tokens.values()):
            chosen: dict[int, int] = {}
            for seat in order:
                if tokens[seat]:
                    choices = partial(_token_choices, tokens[seat])
                    action = yield from self._ask("leap", seat, choices, tokens[seat])
                    chosen[seat] = int(action[2:])
            for seat, shown in chosen.items():
                tokens[seat] = tokens[seat] - shown if shown else 0
            # The sort is stable: equals stay in the round's order.
            for seat in sorted(chosen, key=lambda seat: chosen[seat]):
                if chosen[seat]:
                    yield from self._single_action(seat, chosen[seat])

    def _single_action(self, seat: int, ap: int) -> Flow:
        """One action, or a walk of one member; then, or instead, `.`."""
        self.ap = ap
        action = yield from self._ask("act", seat, partial(self._affordable_or_end, seat), self.ap)
        while action != ".":
            self.perform(seat, action)
            walked = action[1] == ":" and action[0] in "WL"
            walker = f"{action[0]}:{action[-2:]}" if walked else "nobody"
            action = yield from self._ask("act", seat, partial(self._steps_or_end, seat, walker), self.ap)

    # ---------------------------------------------------------------- helpers

    def _ask(self, phase: str, seat: int, choices: Callable[[], list[str]], ap: int = 0) -> Asking:
        """Hand over to the seat. `choices` is a function so that positions changed by hand are seen."""
        self.phase, self.seat, self.ap, self._choices = phase, seat, ap, choices
        return (yield)

    def _affordable_or_end(self, seat: int) -> list[str]:
        return [*self.affordable(seat), "."]

    def _steps_or_end(self, seat: int, walker: str) -> list[str]:
        return [*(step for step in self.affordable(seat) if step.startswith(walker)), "."]


def _token_choices(tokens: int) -> list[str]:
    return [f"J:{n}" for n in range(min(5, tokens) + 1)]
