import sys as _sys

print("much, but not without an end " * 20_000)
print("much, but not without an end " * 20_000, file=_sys.stderr)
