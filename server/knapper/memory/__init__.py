"""Answers made of the notes, with citations that are checked. Must not know editors, the protocol or SQL."""
