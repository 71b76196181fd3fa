"""The command line. Every subcommand is a few lines over the packages below."""
