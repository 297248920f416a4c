"""``python -m packhorse``: what desktop entries start, since it needs no script on the PATH."""

from packhorse.cli import main

if __name__ == "__main__":
    main()
