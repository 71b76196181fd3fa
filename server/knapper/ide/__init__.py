"""What an editor offers, as plain data computed from a frozen snapshot of the vault.

Knows notes, links and texts; must not know the editor protocol, URIs, databases or event loops.
"""
