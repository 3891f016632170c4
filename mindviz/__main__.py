"""`python -m mindviz`."""

from mindviz.cli import main

if __name__ == "__main__":
    main()
