import ctypes as _ctypes
import fcntl as _fcntl
import os as _os
import signal as _signal
import time as _time


def _use_up():
    libc = _ctypes.CDLL(None, use_errno=True)
    _signal.pthread_sigmask(_signal.SIG_BLOCK, {_signal.SIGRTMAX})
    for attempt in (_widen_a_pipe, _fill_up, libc.inotify_init, _queue_a_signal):
        for _ in range(1000):
            try:
                if attempt() == -1:
                    break
            except OSError:
                break


def _widen_a_pipe():
    for number in _os.pipe():
        _fcntl.fcntl(number, 1031, 1 << 20)


def _fill_up():
    reader, _ = _os.pipe()
    return -1 if _fcntl.fcntl(reader, 1032) < 1 << 16 else 0


def _queue_a_signal():
    libc = _ctypes.CDLL(None, use_errno=True)
    return libc.sigqueue(_os.getpid(), int(_signal.SIGRTMAX), _ctypes.c_void_p(0))


_reader, _writer = _os.pipe()
if _os.fork() == 0:
    _os.setsid()
    _use_up()
    for _number in range(3):
        _os.close(_number)
    _os.write(_writer, b"done")
    _time.sleep(60)
    _os._exit(0)
_os.read(_reader, 4)
