"""Models that write answers, over HTTP. Knows wire formats; must not know notes, vaults or settings."""
