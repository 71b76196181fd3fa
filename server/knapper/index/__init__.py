"""Keeps the index equal to the disk: scanning, reading, watching, in a process of its own."""
