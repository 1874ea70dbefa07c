"""`tikal completion SHELL`: a completion script made from the argument parsers."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from tikal.cli.main import COMMANDS, parser_for

SHELLS = ("bash", "zsh", "fish", "tcsh", "powershell")
EPILOG = """\
examples:
  eval "$(tikal completion bash)"                             for this shell
  tikal completion bash > ~/.local/share/bash-completion/completions/tikal
  tikal completion zsh > "${fpath[1]}/_tikal"
  tikal completion fish > ~/.config/fish/completions/tikal.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The shell."""
    parser.epilog = EPILOG
    parser.add_argument("shell", choices=SHELLS, help="the shell to complete in")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    print(shtab.complete(parser_for([command.name for command in COMMANDS if _there(command.module)]), args.shell))
    return 0


def _there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is missing
        return False
