import os as _os
import signal as _signal

_child = _os.fork()
if _child == 0:
    _signal.pause()
_os.kill(_child, _signal.SIGKILL)
_os.waitpid(_child, 0)
