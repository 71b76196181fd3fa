"""`python -m knapper` is the `knapper` command."""

from knapper.cli.main import main

if __name__ == "__main__":
    main()
