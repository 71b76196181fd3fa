"""`python -m tests.eval DATA` measures how search ranks, what related notes find, and how notes answer."""

import sys
from pathlib import Path

from tests.eval import hidden_links, questions, ranking

if __name__ == "__main__":
    ranking.main()
    hidden_links.main()
    questions.main([Path(name) for name in sys.argv[1:]])
