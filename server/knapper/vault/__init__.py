"""Many notes, in memory and pure: paths, names, what a link means, the link graph.

Knows Obsidian's link rules; must not know files, databases or editors.
"""
