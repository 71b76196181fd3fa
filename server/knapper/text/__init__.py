"""Strings and positions. Knows nothing of Markdown, files or editors."""
