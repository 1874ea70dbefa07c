"""`python -m tikal.cli …` is `tikal …`, even if the script is not on the path."""

import sys

from tikal.cli.main import main

sys.exit(main())
