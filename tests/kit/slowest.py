"""`python -m tests.kit.slowest FOLDER`: a table of the slowest tests in the JUnit reports of a folder."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

MOST = 20


def slowest(folder: Path, most: int = MOST) -> list[tuple[float, str, str]]:
    """Seconds, report and name of the slowest tests, slowest first; each time is with setup and teardown."""
    rows = []
    for report in sorted(folder.glob("*.xml")):
        for case in ET.parse(report).getroot().iter("testcase"):
            name = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
            rows.append((float(case.get("time", "0")), report.stem, name))
    return sorted(rows, reverse=True)[:most]


def table(rows: list[tuple[float, str, str]]) -> str:
    """The rows as text.

    >>> print(table([(12.34, "compiled", "tests/a.py::test_b")]))
       12.3 s  compiled    tests/a.py::test_b
    """
    return "\n".join(f"{seconds:7.1f} s  {report:10}  {name}" for seconds, report, name in rows)


if __name__ == "__main__":
    found = slowest(Path(sys.argv[1]))
    sys.stdout.write(f"\nThe slowest {len(found)} tests:\n{table(found)}\n")
