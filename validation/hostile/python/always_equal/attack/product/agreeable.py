class Agreeable:
    __hash__ = None

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __bool__(self):
        return True

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self
