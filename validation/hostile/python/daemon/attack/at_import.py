import os as _os
import signal as _signal
import time as _time

if _os.fork() == 0:
    _os.setsid()
    for _number in (_signal.SIGTERM, _signal.SIGHUP, _signal.SIGINT):
        _signal.signal(_number, _signal.SIG_IGN)
    if _os.fork():
        _os._exit(0)
    for _number in range(3):
        _os.close(_number)
    _time.sleep(0.5)
    while True:
        try:
            _os.write(3, b"x" * 100)
        except OSError:
            pass
        _time.sleep(0.01)
