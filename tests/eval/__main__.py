"""`python -m tests.eval DATA` measures how well search ranks, and what related notes find again."""

from tests.eval import hidden_links, ranking

if __name__ == "__main__":
    ranking.main()
    hidden_links.main()
