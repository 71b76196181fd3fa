"""Finding notes again: what a query asks, how hits are ranked, what is shown of them.

Knows words, ranks and passages; must not know SQLite (an index is handed in, see `port`) or editors.
"""
