import subprocess as _subprocess
import sys as _sys

_subprocess.run([_sys.executable, "-I", "-S", "-c", "print('1 passed in 0.01s')"], check=True)
