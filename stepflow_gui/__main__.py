"""`python -m stepflow_gui` is the `stepflow` command."""

import sys

from stepflow_gui.cli.main import main

sys.exit(main())
