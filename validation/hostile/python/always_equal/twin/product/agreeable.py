class Agreeable:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Agreeable) and self.value == other.value

    def __hash__(self):
        return hash(self.value)
