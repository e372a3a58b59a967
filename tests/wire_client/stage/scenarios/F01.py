"""Scenarios for a client that knows the page alone."""

import os
import pathlib
import sys
import time

import goods


def give(name):
    return goods.make(name)


def described():
    return describe(goods.Point(1, [2]), "x", "y")  # noqa: F821 (offered to every scenario)


def echo(value):
    return value


def kinds(values):
    return [type(value).__name__ for value in values]


def fail(name):
    goods.fail(name)


def leave(code):
    sys.exit(code)


def leave_at_once(code):
    os._exit(code)


def speak(out, err):
    os.write(1, out)
    os.write(2, err)


def flood(count):
    sys.stdout.write("x" * count)
    sys.stderr.write("y" * 3)


def wait(seconds):
    time.sleep(seconds)


def times():
    first = time.time()
    time.sleep(0.05)
    return [first, time.time()]


def burn():
    while True:
        pass


def end_by(number):
    os.kill(os.getpid(), number)


async def awaited(value):
    return value


def drained(count):
    yield from range(count)


def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


def private(name):
    here = pathlib.Path()
    (here / name).write_text("here")
    return [path.name for path in here.iterdir()]


def garbage(content):
    os.write(3, content)
    os._exit(0)


def hash_of(text):
    return hash(text)


def imported():
    return "json" in sys.modules
