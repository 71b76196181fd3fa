"""What is offered while typing, and the exact text and edits that accepting it means.

Reads one line around the cursor, so that a half-written note completes like a finished one. Must not know
how a client shows items, only what decides which edits it can be given.
"""
