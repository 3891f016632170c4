"""Series as columns, what is known about them, and selections of their points. No I/O."""
