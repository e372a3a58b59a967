"""Labels on bags."""


def tag(text, key):
    """A label."""
    return f"{text} {len(key)}"
