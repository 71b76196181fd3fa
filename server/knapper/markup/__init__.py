"""One note: from its text to what stands in it. No input, no output, and it never fails.

Knows Markdown and Obsidian's dialect of it; must not know files, other notes or editors.
"""
