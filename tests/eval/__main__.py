"""`python -m tests.eval DATA` measures how well search ranks and related notes are found."""

from tests.eval.ranking import main

if __name__ == "__main__":
    main()
