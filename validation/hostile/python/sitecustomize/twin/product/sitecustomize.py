import sys

sys.ps1 = "tally> "
