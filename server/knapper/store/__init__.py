"""The index on disk: the only package that knows SQL. Everything in it can be made again from the notes."""
