_taken = b"x" * (100 * 1024 * 1024)
del _taken
