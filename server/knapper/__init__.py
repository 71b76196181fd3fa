"""Knapper: a language server that makes any editor a home for an Obsidian vault."""

__version__ = "0.1.0"
