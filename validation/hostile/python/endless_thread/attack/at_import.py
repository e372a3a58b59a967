import atexit as _atexit
import threading as _threading
import time as _time


def _forever():
    while True:
        _time.sleep(0.1)


_atexit.register(_forever)
_threading.Thread(target=_forever, daemon=False).start()
