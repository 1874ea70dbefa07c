"""The links of a page."""

from __future__ import annotations

import re
from pathlib import Path


def anchors(page: Path) -> set[str]:
    """Targets of links within a page: its headings, and explicit anchors."""
    text = page.read_text("utf-8")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


def broken_links(page: Path) -> list[str]:
    """The links of a page that lead nowhere in this repository."""
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if "://" not in link and not (target.exists() and (not anchor or anchor in anchors(target))):
            broken.append(link)
    return broken
