import signal as _signal

_signal.signal(_signal.SIGALRM, lambda number, frame: None)
_signal.setitimer(_signal.ITIMER_REAL, 0.001)
