import os as _os

_empty = _os.open("/dev/null", _os.O_RDWR)
for _number in range(64):
    if _number != _empty:
        _os.dup2(_empty, _number)
