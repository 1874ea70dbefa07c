"""`python -m tests.kit.architecture`: draw docs/architecture.svg, the packages and their imports, from the sources."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tikal"
PICTURE = ROOT / "docs" / "architecture.svg"
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 110, 40, 36, 56, 20

TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path d="M0 0 8 4 0 8z" fill="#5b6b5d"/></marker></defs>'
)


def arrows() -> dict[str, set[str]]:
    """Each package of ours, and the packages that it imports."""
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    return {name: (imported(SOURCE / name) & packages) - {name} for name in sorted(packages)}


def imported(folder: Path) -> set[str]:
    """The packages below `tikal` that the modules of a folder import, including imports in functions."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name.split(".")[1] for name in names if name.startswith("tikal.")}
    return found


def rows(graph: dict[str, set[str]]) -> list[list[str]]:
    """The packages from the bottom up: each is one row above the highest that it imports.

    >>> rows({"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}})
    [['a'], ['b', 'd'], ['c']]
    """
    level: dict[str, int] = {}
    while len(level) < len(graph):
        for name, below in graph.items():
            if name not in level and below <= set(level):
                level[name] = 1 + max((level[each] for each in below), default=-1)
    return [[name for name in graph if level[name] == row] for row in range(max(level.values()) + 1)]


def direct(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The arrows without those that follow from others: a package that imports `bots` may import `rules` too."""

    def below(name: str) -> set[str]:
        return graph[name].union(*(below(each) for each in graph[name]))

    return {name: {to for to in found if not any(to in below(via) for via in found)} for name, found in graph.items()}


def drawn(graph: dict[str, set[str]]) -> str:
    """The picture, as SVG."""
    floors = rows(graph)
    widest = max(len(floor) for floor in floors)
    across, up = WIDTH + GAP_X, HEIGHT + GAP_Y
    width, height = 2 * MARGIN + widest * across - GAP_X, 2 * MARGIN + len(floors) * up - GAP_Y
    place = {}
    for row, floor in enumerate(floors):
        left = (width - len(floor) * across + GAP_X) / 2
        for column, name in enumerate(floor):
            place[name] = (left + column * across, height - MARGIN - HEIGHT - row * up)
    sentences = [f"{name} imports {', '.join(sorted(to)) or 'no other'}" for name, to in graph.items()]
    font = 'font-family="sans-serif" font-size="15"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>',
        "<title>The packages of Tikal</title>",
        f"<desc>{'; '.join(sentences)}</desc>",
        TIP,
        f'<rect width="{width}" height="{height}" rx="10" fill="#f4f1e6"/>',
    ]
    for name, found in direct(graph).items():
        x, y = place[name]
        for to in sorted(found):
            goal_x, goal_y = place[to]
            lines.append(
                f'<path d="M{x + WIDTH / 2:g} {y + HEIGHT:g} {goal_x + WIDTH / 2:g} {goal_y - 2:g}" '
                'stroke="#5b6b5d" stroke-width="1.5" marker-end="url(#tip)"/>'
            )
    for name, (x, y) in place.items():
        lines.append(f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#2f5d43"/>')
        lines.append(f'<text x="{x + WIDTH / 2:g}" y="{y + 25:g}" text-anchor="middle" fill="#fff">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(drawn(arrows()), "utf-8")
