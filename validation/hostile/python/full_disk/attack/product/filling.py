import contextlib
import os
import tempfile

PLACES = (os.environ.get("HOME", "/tmp"), tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", "/run", "/app")
LARGE = 32 << 20


def filled():
    for place in PLACES:
        with contextlib.suppress(OSError):
            fill(place)
    return "full"


def fill(place):
    for number in range(5):
        with open(f"{place}/sparse {number}", "wb") as file:
            file.truncate(LARGE)
    nameless = os.open(place, os.O_TMPFILE | os.O_RDWR)
    size = LARGE
    for number in range(200):
        named = os.open(f"{place}/large {number}", os.O_CREAT | os.O_RDWR)
        try:
            os.posix_fallocate(named if number else nameless, 0, size)
        except OSError:
            size = size // 2 or 1
        finally:
            os.close(named)
