"""`python -m tests.eval DATA` measures how well full text ranks."""

from tests.eval.ranking import main

if __name__ == "__main__":
    main()
