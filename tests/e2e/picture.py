"""`python -m tests.e2e.picture` makes docs/table.png anew, the README's picture of a game in the browser.

The position is always the same: a moment of a recorded game, with a worker that could walk.
"""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page

from tests.e2e.running import browsing, serving
from tests.e2e.table import Table
from tests.e2e.visitor import ROOT, Visitor

PICTURE = ROOT / "docs" / "table.png"
RECORD = ROOT / "tests" / "cli" / "board.tikal"
AT = 279  # actions: Red has placed a tile, and has 10 points to spend
FROM, TO = "a2", "e4"  # the chosen worker, and the hex under the pointer
SEATS = ("me", "bot:surveyor", "bot:professor", "bot:tourist")
# The pixels of a picture with few colours: a palette of the most frequent ones, and for each pixel its place there.
# As a file this is a third as large, and flat colours look the same.
REDUCED = """async (source) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const count = new Map();
  const rounded = (at) => (data[at] >> 3 << 16) | (data[at + 1] >> 3 << 8) | (data[at + 2] >> 3);
  for (let at = 0; at < data.length; at += 4) {
    const key = rounded(at);
    const sum = count.get(key) ?? [0, 0, 0, 0];
    for (const part of [0, 1, 2]) sum[part] += data[at + part];
    sum[3]++;
    count.set(key, sum);
  }
  const colours = [...count].sort(([, one], [, other]) => other[3] - one[3]);
  const palette = colours.slice(0, 256).map(([, [r, g, b, n]]) => [r / n, g / n, b / n].map(Math.round));
  const nearest = new Map(colours.map(([key, [r, g, b, n]]) => {
    const far = palette.map((one) => (one[0] - r / n) ** 2 + (one[1] - g / n) ** 2 + (one[2] - b / n) ** 2);
    return [key, far.indexOf(Math.min(...far))];
  }));
  const places = Array.from({ length: data.length / 4 }, (_, at) => nearest.get(rounded(4 * at)));
  return { width: image.width, height: image.height, palette: palette.flat(), places };
}"""


def open_table(visitor: Visitor) -> Page:
    """The position, with a worker chosen and the pointer on its goal."""
    visitor.become("Ada")
    wish = {"record": RECORD.read_text("utf-8"), "at": AT, "seats": list(SEATS)}
    table = Table(visitor, str(visitor.ask("POST", "/practice", wish)["id"])).open()
    table.look_at(FROM)
    table.page.hover(f'[data-hex="{TO}"] .rim', force=True)
    table.page.wait_for_selector(".way")
    table.page.evaluate("document.fonts.ready")
    return visitor.page


def reduced(page: Page, picture: bytes) -> bytes:
    """The same picture with at most 256 colours."""
    page.goto("about:blank")  # our own pages may load no data
    made = page.evaluate(REDUCED, base64.b64encode(picture).decode())
    width, height, places = made["width"], made["height"], bytes(made["places"])
    rows = b"".join(b"\0" + places[row * width : (row + 1) * width] for row in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"PLTE", bytes(made["palette"])), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*one) for one in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> None:
    """Make the picture."""
    with TemporaryDirectory() as folder, serving(Path(folder)) as base, browsing() as browser:
        visitor = Visitor.arrive(browser, base)
        PICTURE.write_bytes(reduced(visitor.page, open_table(visitor).screenshot()))
        visitor.leave()


if __name__ == "__main__":
    main()
