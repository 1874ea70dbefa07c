"""Charts of a match as one SVG file: win rates, score by tile, sources of points, and convergence.

The SVG depends on nothing else. Each entry has one colour in all charts (from a palette that colour-blind people can
tell apart) and its number beside it, so the charts are readable without colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from tikal.arena.report import Report, side_share, whole_deals
from tikal.arena.run import write_whole
from tikal.arena.specs import short
from tikal.rules.tables import LETTERS, TILES

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#a3549b")
INK, FAINT, GRID, PAPER, PANEL = "#2a2a28", "#77756e", "#e4e1d8", "#f7f5ef", "#ffffff"
FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
WIDTH, MARGIN, GAP = 1040, 28, 24
PANEL_WIDTH, PANEL_HEIGHT = (WIDTH - 2 * MARGIN - GAP) // 2, 300
HEAD = 84
NAME_ROOM = 182  # space for names at the left of bars
END_ROOM = 136  # space for names at the end of lines
NAME = {"font_weight": 600, "font_size": 11}
HALO = {"stroke": PANEL, "stroke_width": 4, "paint_order": "stroke"}  # keeps text readable across lines


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to pixels.

    >>> Scale(0, 10, 100, 200).at(5)
    150.0
    """

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a value."""
        return round(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start), 2)

    def ticks(self, wanted: int = 5) -> list[float]:
        """Round numbers within the scale, about as many as wanted.

        >>> Scale(0, 0.93, 0, 1).ticks()
        [0.0, 0.2, 0.4, 0.6, 0.8]
        """
        raw = (self.high - self.low) / wanted
        power: float = 10 ** math.floor(math.log10(raw))
        step = next(step * power for step in (1, 2, 5, 10) if step * power >= raw * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [round(n * step, 10) for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


@dataclass(slots=True)
class Drawing:
    """SVG elements in painting order."""

    parts: list[str] = field(default_factory=list)

    def add(self, name: str, text: str = "", /, **attributes: object) -> None:
        """Add an element; `_` in attribute names becomes `-`."""
        pairs = "".join(f" {key.strip('_').replace('_', '-')}={quoteattr(str(v))}" for key, v in attributes.items())
        self.parts.append(f"<{name}{pairs}>{escape(text)}</{name}>" if text else f"<{name}{pairs}/>")

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = GRID, **more: object) -> None:
        """A straight line."""
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **more)

    def text(self, x: float, y: float, content: str, **more: object) -> None:
        """A line of text."""
        self.add("text", content, x=x, y=y, fill=more.pop("fill", INK), **more)

    def path(self, points: Sequence[tuple[float, float]], stroke: str) -> None:
        """A line through points."""
        coordinates = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.add("polyline", points=coordinates, fill="none", stroke=stroke, stroke_width=2.2, stroke_linejoin="round")


@dataclass(frozen=True, slots=True)
class Frame:
    """A panel: its position and the area of its chart."""

    x: float
    y: float
    left: float = 44
    right: float = 16

    @property
    def x0(self) -> float:
        """Left end of the chart."""
        return self.x + self.left

    @property
    def x1(self) -> float:
        """Right end of the chart."""
        return self.x + PANEL_WIDTH - self.right

    @property
    def y0(self) -> float:
        """Top of the chart."""
        return self.y + 52

    @property
    def y1(self) -> float:
        """Bottom of the chart."""
        return self.y + PANEL_HEIGHT - 42


def chart(report: Report) -> str:
    """All charts of a match, as the text of an SVG file."""
    drawing = Drawing()
    panels = [win_rates, course, sources, settling, *([ratio] if report.verdict is not None else [])]
    rows = -(-len(panels) // 2)
    height = HEAD + rows * (PANEL_HEIGHT + GAP) - GAP + MARGIN
    _head(drawing, report)
    for number, panel in enumerate(panels):
        x = MARGIN + number % 2 * (PANEL_WIDTH + GAP)
        y = HEAD + number // 2 * (PANEL_HEIGHT + GAP)
        drawing.add("rect", x=x, y=y, width=PANEL_WIDTH, height=PANEL_HEIGHT, rx=8, fill=PANEL, stroke=GRID)
        if report.games:
            panel(drawing, report, x, y)
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    title = f"<title>{escape(_versus(report))}</title>"
    paper = f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>'
    body = "\n".join(drawing.parts)
    return f'{frame} role="img" font-family="{FONT}" font-size="12">\n{title}\n{paper}\n{body}\n</svg>\n'


def write_chart(report: Report, path: Path) -> None:
    """Write the charts into a file."""
    write_whole(path, chart(report))


def _versus(report: Report) -> str:
    return "Tikal arena: " + " – ".join(report.match.players)


def _head(drawing: Drawing, report: Report) -> None:
    names = " – ".join(short(spec, 30) for spec in report.match.players)
    drawing.text(MARGIN, 40, names, font_size=20, font_weight=600)
    options = " ".join(f"{key}={value}" for key, value in report.match.options.pairs().items())
    about = f"{report.games} games, each deal in all rotations of the seats · seed {report.match.seed}"
    drawing.text(MARGIN, 62, f"{about} · {report.match.options.edition}, {options}", fill=FAINT)


def _title(drawing: Drawing, x: float, y: float, title: str, about: str) -> None:
    drawing.text(x + 16, y + 24, title, font_size=14, font_weight=600)
    drawing.text(x + 16, y + 41, about, fill=FAINT, font_size=11)


def _across(drawing: Drawing, frame: Frame, scale: Scale, unit: str = "", zero: float | None = None) -> None:
    """Lines and numbers of a horizontal scale."""
    for tick in scale.ticks():
        drawing.line(scale.at(tick), frame.y0, scale.at(tick), frame.y1)
        drawing.text(scale.at(tick), frame.y1 + 17, f"{tick:g}{unit}", text_anchor="middle", fill=FAINT, font_size=11)
    if zero is not None:
        drawing.line(scale.at(zero), frame.y0, scale.at(zero), frame.y1, FAINT)


def _up(drawing: Drawing, frame: Frame, scale: Scale, unit: str = "") -> None:
    """Lines and numbers of a vertical scale."""
    for tick in scale.ticks():
        drawing.line(frame.x0, scale.at(tick), frame.x1, scale.at(tick))
        label = f"{tick:g}{unit}"
        drawing.text(frame.x0 - 6, scale.at(tick) + 4, label, text_anchor="end", fill=FAINT, font_size=11)


def _rows(drawing: Drawing, report: Report, frame: Frame) -> Iterator[tuple[int, float, float]]:
    """A row for each entry, with its name: entry, middle, thickness."""
    height = (frame.y1 - frame.y0) / len(report.players)
    for entry, player in enumerate(report.players):
        middle = round(frame.y0 + (entry + 0.5) * height, 2)
        name = f"{entry + 1} {short(player.spec, 20)}"
        drawing.text(frame.x0 - 10, middle + 4, name, text_anchor="end", fill=COLOURS[entry], **NAME)
        yield entry, middle, round(min(30, height * 0.55), 2)


def win_rates(drawing: Drawing, report: Report, x: float, y: float) -> None:
    """Win rates with their intervals, and the fair share."""
    _title(drawing, x, y, "Win rate", "with 95 % intervals, clustered by deal; dashed: a fair share")
    frame = Frame(x, y, NAME_ROOM, 24)
    scale = Scale(0, 100, frame.x0, frame.x1)
    _across(drawing, frame, scale, " %")
    fair = scale.at(100 / len(report.players))
    drawing.line(fair, frame.y0, fair, frame.y1, FAINT, stroke_dasharray="4 4")
    for entry, middle, size in _rows(drawing, report, frame):
        rate = report.players[entry].win_rate
        assert rate is not None
        low, value, high = (scale.at(100 * part) for part in (rate.low, rate.value, rate.high))
        drawing.add("rect", x=low, y=middle - size / 4, width=max(1.0, round(high - low, 2)), height=size / 2, rx=3,
                    fill=COLOURS[entry], opacity=0.25)  # fmt: skip
        drawing.add("circle", cx=value, cy=middle, r=5.5, fill=COLOURS[entry], stroke=PANEL, stroke_width=1.5)
        anchor = "start" if rate.value < 0.12 else "end" if rate.value > 0.88 else "middle"
        above = middle - size / 4 - 5
        drawing.text(value, above, f"{100 * rate.value:.1f} %", text_anchor=anchor, font_size=11, **HALO)


def _ends(drawing: Drawing, report: Report, frame: Frame, ends: Sequence[float]) -> None:
    """Names at the ends of lines, kept apart."""
    lowest = -math.inf
    for entry in sorted(range(len(ends)), key=lambda entry: ends[entry]):
        lowest = max(ends[entry], lowest + 15)
        name = f"{entry + 1} {short(report.players[entry].spec, 14)}"
        drawing.text(frame.x1 + 8, lowest + 4, name, fill=COLOURS[entry], **NAME)


def course(drawing: Drawing, report: Report, x: float, y: float) -> None:
    """The mean score after each tile."""
    _title(drawing, x, y, "Score through the game", "mean score by tiles turned up; the last includes the final round")
    frame = Frame(x, y, 44, END_ROOM)
    curves = [player.course for player in report.players]
    if not all(curves):
        return
    across = Scale(0, len(TILES), frame.x0, frame.x1)
    up = Scale(0, max(10.0, *(max(curve) for curve in curves)) * 1.05, frame.y1, frame.y0)
    _letters(drawing, report, frame, across)
    _up(drawing, frame, up)
    for entry, curve in enumerate(curves):
        drawing.path([(across.at(n), up.at(score)) for n, score in enumerate(curve)], COLOURS[entry])
    _ends(drawing, report, frame, [up.at(curve[-1]) for curve in curves])


def _below(drawing: Drawing, frame: Frame, scale: Scale, unit: str) -> None:
    """Whole numbers below a chart, with a caption."""
    for tick in scale.ticks(5):
        if tick == int(tick):
            drawing.text(scale.at(tick), frame.y1 + 17, f"{tick:g}", text_anchor="middle", fill=FAINT, font_size=11)
    drawing.text((frame.x0 + frame.x1) / 2, frame.y1 + 33, unit, text_anchor="middle", fill=FAINT, font_size=10)


def _letters(drawing: Drawing, report: Report, frame: Frame, scale: Scale) -> None:
    """The letters of the tiles below the chart; volcanoes are among B, D and F."""
    if report.match.options.sudden_death:
        _below(drawing, frame, scale, "tiles")
        return
    ends = list(accumulate(sum(tile.name[0] == letter for tile in TILES) for letter in LETTERS))
    for letter, start, end in zip(LETTERS, [0, *ends], ends, strict=False):
        left, right = scale.at(start), scale.at(end)
        volcano = any(tile.name[0] == letter and tile.terrain == "volcano" for tile in TILES)
        if volcano:
            drawing.add("rect", x=left, y=frame.y0, width=round(right - left, 2), height=frame.y1 - frame.y0,
                        fill="#d55e00", opacity=0.07)  # fmt: skip
        drawing.text((left + right) / 2, frame.y1 + 17, letter, text_anchor="middle", fill=FAINT, font_size=11)
    middle = (frame.x0 + frame.x1) / 2
    caption = "tiles by letter; shaded: with a volcano among them"
    drawing.text(middle, frame.y1 + 33, caption, text_anchor="middle", fill=FAINT, font_size=10)


def sources(drawing: Drawing, report: Report, x: float, y: float) -> None:
    """Mean points by source: temples and treasures, and to the left the bids paid."""
    paid = report.match.options.auction
    left = ", left: bids paid; all start at 20" if paid else ""
    _title(drawing, x, y, "Points by source", f"mean: temples (full), treasures (light){left}")
    frame = Frame(x, y, NAME_ROOM, 54)
    rows = [[_value(part) for part in (player.temples, player.treasures, player.bids)] for player in report.players]
    scale = Scale(-max(bids for *_, bids in rows), max(10.0, *(a + b for a, b, _ in rows)) * 1.02, frame.x0, frame.x1)
    _across(drawing, frame, scale, zero=0)
    for entry, middle, size in _rows(drawing, report, frame):
        temples, treasures, bids = rows[entry]
        bars = [(0.0, temples, 0.95), (temples, temples + treasures, 0.45), (-bids, 0.0, 0.18)]
        for start, end, opacity in bars:
            width = round(scale.at(end) - scale.at(start), 2)
            if width > 0:
                drawing.add("rect", x=scale.at(start), y=middle - size / 2, width=width, height=size,
                            fill=COLOURS[entry], opacity=opacity)  # fmt: skip
                if width > 24:
                    colour = PANEL if opacity > 0.5 else INK
                    drawing.text(scale.at((start + end) / 2), middle + 4, f"{end - start:.1f}", text_anchor="middle",
                                 fill=colour, font_size=11)  # fmt: skip
        total = report.players[entry].score
        drawing.text(scale.at(temples + treasures) + 6, middle + 4, f"{_value(total):.1f}", font_weight=600)


def _value(estimate: object) -> float:
    return float(getattr(estimate, "value", 0.0))


def settling(drawing: Drawing, report: Report, x: float, y: float) -> None:
    """The win rate so far, deal by deal."""
    _title(drawing, x, y, "How it settled", "win rate so far, deal by deal; dashed: a fair share")
    frame = Frame(x, y, 52, END_ROOM)
    deals = whole_deals(report.outcomes, len(report.players))
    up = Scale(0, 100, frame.y1, frame.y0)
    across = Scale(0, max(2, len(deals)), frame.x0, frame.x1)
    _up(drawing, frame, up, " %")
    _below(drawing, frame, across, "deals")
    fair = up.at(100 / len(report.players))
    drawing.line(frame.x0, fair, frame.x1, fair, FAINT, stroke_dasharray="4 4")
    ends = []
    for entry in range(len(report.players)):
        sums = accumulate(side_share(deal, [entry]) for deal in deals)
        points = [(across.at(n), up.at(100 * total / n)) for n, total in enumerate(sums, start=1)]
        drawing.path(_thinned(points), COLOURS[entry])
        ends.append(points[-1][1])
    _ends(drawing, report, frame, ends)


def _thinned(points: Sequence[tuple[float, float]], most: int = 400) -> list[tuple[float, float]]:
    """At most as many points as a reader can see; always keeps the last."""
    step = -(-len(points) // most)
    return [*points[:-1:step], points[-1]]


def ratio(drawing: Drawing, report: Report, x: float, y: float) -> None:
    """The log likelihood ratio of the sequential test between its bounds."""
    test, verdict = report.match.sprt, report.verdict
    assert test is not None and verdict is not None
    _title(drawing, x, y, "Sequential test", "log likelihood ratio; above the upper bound player 1 is better")
    frame = Frame(x, y, 44, 60)
    running = test.start(len(report.match.side), len(report.players))
    deals = whole_deals(report.outcomes, len(report.players))
    way = [0.0, *(running.add(side_share(deal, report.match.side)).llr for deal in deals)]
    up = Scale(min(verdict.lower, *way) * 1.15, max(verdict.upper, *way) * 1.15, frame.y1, frame.y0)
    across = Scale(0, max(2, len(deals)), frame.x0, frame.x1)
    _up(drawing, frame, up)
    for bound, label in ((verdict.upper, "H1"), (verdict.lower, "H0")):
        drawing.line(frame.x0, up.at(bound), frame.x1, up.at(bound), INK, stroke_dasharray="6 3")
        drawing.text(frame.x1 + 8, up.at(bound) + 4, label, font_weight=600)
    _below(drawing, frame, across, "deals")
    drawing.path(_thinned([(across.at(n), up.at(llr)) for n, llr in enumerate(way)]), COLOURS[0])
