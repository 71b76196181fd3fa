"""`python -m knapper.index SERVER` is the index process; the server starts it."""

from knapper.index.process import main

if __name__ == "__main__":
    main()
