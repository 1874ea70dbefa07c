"""The notice that tikal runs without its compiled core."""

from __future__ import annotations

from tikal.cli.language import t


def notice() -> str:
    """The notice for people; empty if the core is compiled."""
    from tikal import _compiled

    name, why = _compiled.mode()
    return "" if name == "compiled" else t("uncompiled", why=why)
