"""The notice that tikal runs without its compiled core."""

from __future__ import annotations

from tikal.cli.language import t


def notice() -> str:
    """The notice for people; empty if the core is compiled."""
    from tikal import _compiled

    return "" if _compiled.mode()[0] == "compiled" else t("uncompiled")
