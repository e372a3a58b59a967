import threading as _threading

_thread = _threading.Thread(target=sum, args=([1, 2],))
_thread.start()
_thread.join()
