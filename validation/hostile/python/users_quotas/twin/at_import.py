import fcntl as _fcntl
import os as _os

_pipes = [_os.pipe() for _ in range(20)]
_fcntl.fcntl(_pipes[0][1], 1031, 1 << 18)
for _number in [_end for _pipe in _pipes for _end in _pipe]:
    _os.close(_number)
