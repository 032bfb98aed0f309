"""`python -m tellapart` is the command line."""

from tellapart.cli import main

if __name__ == "__main__":
    main()
