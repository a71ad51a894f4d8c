"""`python -m hypershift.cli` is the program too."""

from hypershift.cli import main

main()
