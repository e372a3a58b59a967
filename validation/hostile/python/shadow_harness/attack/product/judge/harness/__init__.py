def clause(*ids):
    return lambda test: test


def same(seen, expected, **rules):
    return True
