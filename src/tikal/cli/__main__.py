"""`python -m tikal.cli …` is `tikal …`, also where the script is not on the path."""

import sys

from tikal.cli.main import main

sys.exit(main())
