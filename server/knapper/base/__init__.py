"""What every layer may use: cancel tokens, settings, progress hooks, folders. Knows nothing of notes."""
