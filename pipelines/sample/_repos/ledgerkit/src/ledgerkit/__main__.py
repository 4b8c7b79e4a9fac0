import sys

from ledgerkit.cli import main

sys.exit(main())
