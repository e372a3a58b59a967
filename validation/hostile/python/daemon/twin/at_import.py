import os as _os

_child = _os.fork()
if _child == 0:
    _os.setsid()
    _os._exit(0)
_os.waitpid(_child, 0)
