KEPT = []


def hoarded():
    for _ in range(10):
        KEPT.append(b"x" * (16 * 1024 * 1024))
    while True:
        KEPT.append(bytes(64 * 1024 * 1024))
