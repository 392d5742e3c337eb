"""Regular expressions on symbolic text: a backtracking matcher in Python.

`compile.py` turns a pattern into instructions, `machine.py` runs them a character at a time,
and `standing.py` is what a program gets where it imports `re`.
"""
