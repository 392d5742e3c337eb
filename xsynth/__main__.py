"""`python -m xsynth` is `xsynth`."""

from xsynth.cli import main

if __name__ == "__main__":
    main()
