"""One module for each subcommand; `cli.main` imports the one that is asked for, and no other."""
