class _Kind(type):
    def __instancecheck__(cls, thing):
        return type.__instancecheck__(cls, thing)


class _Odd(BaseException, metaclass=_Kind):
    def __str__(self):
        return "x" * 100_000

    @property
    def args(self):
        raise AttributeError


try:
    raise _Odd
except BaseException:
    pass
