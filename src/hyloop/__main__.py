"""`python -m hyloop`."""

from hyloop.cli import main

if __name__ == "__main__":
    main()
