"""The table in the browser: the page's size, the time until it is playable, the latency of a click, the cost of a turn.

    .venv/bin/python -m benchmarks.client

Debian's chromium, headless and without a GPU, against a server on the same machine. `--install` also installs the
package into a fresh environment, twice: the second time, with warm caches, counts.

- JavaScript: everything that the page of a table loads with an empty cache, each file compressed by gzip.
- playable: from the first paint until the player's turn can be played; empty cache.
- click: from a click until `data-ap` has changed on the board; the 95th percentile.
- turn: another player's turn, played as an animation with 40 tiles and 76 members on the board: processor time of
  all processes of the browser divided by its length, and the longest task of the page. The task is given twice, by the
  clock and by the processor time of its thread: on a busy machine the clock also counts other programs.
- hint: from the question to the professor until the first idea is shown, and until the thorough one is; medians over a
  game, with the bots' usual time. And the longest task of the page meanwhile, by the clock.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Response

from benchmarks.rounds import parser
from tests.e2e.crowd import fill
from tests.e2e.running import browsing, serving
from tests.e2e.table import Table
from tests.e2e.visitor import ROOT, Json, Visitor
from tikal.server.config import Config

BARS = {
    "JavaScript, kB gzip": 150,
    "first paint to playable, ms": 1000,
    "click to data-ap, ms at p95": 100,
    "an animated turn, cores": 0.5,
    "its longest task, ms": 50,
    "a hint, ms": 1500,
    "pip install ., s": 60,
}
CLICKS = 60
WATCHED = 3000  # ms of an animated turn
HINTS = 9
WATCH_BOARD = """
  window.seen = { clicked: 0, answers: [] };
  addEventListener('click', () => (window.seen.clicked = performance.now()), true);
  new MutationObserver((changes) => {
    const now = performance.now();
    if (document.querySelector('[data-board][data-yours]')) window.seen.playable ??= now;
    const answered = changes.some((change) => change.attributeName === 'data-ap');
    if (answered) window.seen.answers.push(now - window.seen.clicked);
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-ap', 'data-yours'] });
"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def hot_seat(visitor: Visitor) -> Table:
    """A table where every decision is made in one browser."""
    visitor.become("Ada")
    return Table(visitor, visitor.new_table("me", "person:Ben"))


def loading(browser: Browser, base: str) -> dict[str, float]:
    """The size of a table's page, and the time until it can be played, with an empty cache."""
    visitor = Visitor.arrive(browser, base)
    table, scripts = hot_seat(visitor), list[Response]()
    visitor.page.on("response", lambda got: scripts.append(got) if got.url.endswith(".js") else None)
    visitor.page.add_init_script(WATCH_BOARD)
    table.open()
    paint = float(visitor.page.evaluate(PAINT))
    playable = float(visitor.page.evaluate("window.seen.playable"))
    size = sum(len(gzip.compress(script.body())) for script in scripts)
    visitor.leave()
    return {
        "JavaScript, kB gzip": size / 1000,
        "first paint, ms": paint,
        "first paint to playable, ms": max(0.0, playable - paint),
    }


def clicking(browser: Browser, base: str) -> dict[str, float]:
    """The time from a click until the board shows its effect: workers enter and are taken back."""
    visitor = Visitor.arrive(browser, base)
    table = hot_seat(visitor)
    visitor.page.add_init_script(WATCH_BOARD)
    table.open()
    table.click_action(table.offer()["places"][0]["action"])
    table.look_at("a1")
    board, undo = visitor.page.locator("[data-board]"), visitor.page.get_by_role("button", name="Undo")
    visitor.page.evaluate("window.seen.answers = []")
    for _ in range(CLICKS // 2):
        visitor.page.click("button[data-action='+W@a1']")
        board.and_(visitor.page.locator("[data-ap='9']")).wait_for()
        undo.click()
        board.and_(visitor.page.locator("[data-ap='10']")).wait_for()
    answers = visitor.page.evaluate("window.seen.answers")
    assert len(answers) == CLICKS
    visitor.leave()
    return {"click to data-ap, ms": median(answers), "click to data-ap, ms at p95": quantiles(answers, n=20)[-1]}


def full_table(browser: Browser, base: str) -> tuple[Table, Table]:
    """A full board in the last round: the spectator's page, and the player's."""
    ada, ben = (Visitor.arrive(browser, base, reduced_motion="no-preference") for _ in range(2))
    ada.become("Ada")
    ben.become("Ben")
    made = ben.new_table("me", "person:Cleo", "person:Dan", "open")
    ada.ask("POST", f"/tables/{made}/join", {})
    ben.ask("POST", f"/tables/{made}/start")
    watching, playing = Table(ada, made).open(), Table(ben, made)
    fill(watching, {1: playing, 2: playing, 3: playing, 4: watching})
    watching.page.wait_for_timeout(2 * WATCHED)  # all that is still shown
    return watching, playing


def some_steps(table: Table) -> list[str]:
    """Single steps of as many members as there are points for."""
    update = table.update()
    offer, workers = update["offer"], update["view"]["workers"][update["offer"]["seat"] - 1]
    left, steps = offer["ap"], list[str]()
    for walk in sorted(offer["walks"], key=lambda walk: walk["cost"]):
        while len(walk["actions"]) == 1 and walk["cost"] <= left and workers.get(walk["from"], 0) > 0:
            left -= walk["cost"]
            workers[walk["from"]] -= 1
            steps.append(walk["actions"][0])
    return [step for step in steps if step.startswith("W")]


def animated(browser: Browser, base: str) -> dict[str, float]:
    """The cost of watching a turn on a full board: once by processor time, once with a trace."""
    watching, playing = full_table(browser, base)
    session = browser.new_browser_cdp_session()

    def spent() -> float:
        return sum(float(one["cpuTime"]) for one in session.send("SystemInfo.getProcessInfo")["processInfo"])

    steps = some_steps(playing)
    before, begun = spent(), time.perf_counter()
    playing.play(*steps)
    watching.page.wait_for_timeout(WATCHED)
    cores = (spent() - before) / (time.perf_counter() - begun)
    playing.play(".")
    while watching.update()["view"]["seat"] == 4:
        watching.play(".")
    watching.page.wait_for_timeout(WATCHED)
    browser.start_tracing(page=watching.page, categories=["toplevel", "disabled-by-default-devtools.timeline"])
    playing.play(*some_steps(playing))
    watching.page.wait_for_timeout(WATCHED)
    by_clock, by_thread = longest(json.loads(browser.stop_tracing()))
    for one in (watching, playing):
        one.visitor.leave()
    return {
        "steps of the turn": len(steps),
        "an animated turn, cores": cores,
        "its longest task, ms": by_thread,
        "the same by the clock, ms": by_clock,
    }


def longest(trace: Json) -> tuple[float, float]:
    """The longest task of any page's main thread: milliseconds by the clock, and of its own processor time."""
    events = trace["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [
        event
        for event in events
        if event.get("ph") == "X" and "RunTask" in event["name"] and (event["pid"], event["tid"]) in mains
    ]
    assert tasks, "the trace has no tasks"
    return max(task["dur"] for task in tasks) / 1000, max(task.get("tdur", 0) for task in tasks) / 1000


# When the two answers to a question were shown, in milliseconds since the click; and the longest task since then.
# Both observers end with the question: those of an earlier one would answer the next, with their own start.
WATCH_HINT = """() => {
  const asked = performance.now();
  const answer = (window.answer = { task: 0 });
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) answer.task = Math.max(answer.task, duration);
  });
  const states = new MutationObserver(() => {
    const state = document.querySelector('[data-hint]')?.dataset.hint;
    if (state) answer.first ??= performance.now() - asked;
    if (state !== 'shown') return;
    answer.whole = performance.now() - asked;
    states.disconnect();
    tasks.disconnect();
  });
  tasks.observe({ type: 'longtask' });
  states.observe(document, { subtree: true, childList: true, attributeFilter: ['data-hint'] });
  document.querySelector('[data-hint-ask]').click();
}"""


def hinting(browser: Browser, base: str) -> dict[str, float]:
    """The time from a question to its answers, at the start of turns all over a game."""
    visitor = Visitor.arrive(browser, base)
    visitor.become("Ada")
    table = Table(visitor, visitor.new_table("me", "person:Ben", "person:Cleo", "person:Dan", hints=True)).open()
    answers = list[Json]()
    for _ in range(HINTS):
        for _decision in range(12):
            table.play(table.choose())
        table.caught_up()
        table.uncover()
        visitor.page.evaluate(WATCH_HINT)
        visitor.page.wait_for_selector('[data-hint="shown"]')
        answers.append(visitor.page.evaluate("window.answer"))
        visitor.page.keyboard.press("Escape")
    visitor.leave()
    return {
        "a hint, ms": median(answer["first"] for answer in answers),
        "a thorough hint, ms": median(answer["whole"] for answer in answers),
        "the longest task meanwhile, ms": max(answer["task"] for answer in answers),
    }


def installing() -> dict[str, float]:
    """Seconds of `pip install .` into a fresh environment, with warm caches."""
    install()
    return {"pip install ., s": install()}


def install() -> float:
    """Seconds of one install."""
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder, "Scripts" if os.name == "nt" else "bin", "python")
        begun = time.perf_counter()
        subprocess.run([python, "-m", "pip", "install", "--quiet", "."], cwd=ROOT, check=True)
        taken = time.perf_counter() - begun
        assert next(Path(folder).rglob("tikal/client/index.html"), None), "the client was not built"
    return taken


def main() -> None:
    """Measure, and print."""
    made = parser(__doc__, rounds=5)
    made.add_argument("--install", action="store_true", help="also time pip install .")
    args = made.parse_args()
    with TemporaryDirectory() as folder, serving(Path(folder)) as base, browsing() as browser:
        loads = [loading(browser, base) for _ in range(args.rounds)]
        found = {name: median(load[name] for load in loads) for name in loads[0]}
        found |= clicking(browser, base) | animated(browser, base)
    with TemporaryDirectory() as folder, serving(Path(folder), Config("").bot_ms) as base, browsing() as browser:
        found |= hinting(browser, base)
    if args.install:
        found |= installing()
    if args.json:
        print(json.dumps({"found": found, "bars": BARS}))
        return
    for name, figure in found.items():
        bar = f"   (target: at most {BARS[name]})" if name in BARS else ""
        print(f"  {name:32}{figure:>10.2f}{bar}")


if __name__ == "__main__":
    main()
