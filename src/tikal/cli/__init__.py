"""The command line: `tikal play`, `tikal replay`, `tikal engine` and the rest. See `main.COMMANDS`."""
