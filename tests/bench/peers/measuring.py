"""Shared by the measuring scripts: the load of the machine, and the table in a page."""
import os
import time
from pathlib import Path


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "unknown processor"


def load():
    return f"{os.getloadavg()[0]:.1f}"


def busy():
    """Returns how many processors were busy in the last second."""
    def ticks():
        numbers = [int(n) for n in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        return numbers[3] + numbers[4], sum(numbers)  # idle and I/O wait, total
    idle, everything = ticks()
    time.sleep(1)
    later = ticks()
    return os.cpu_count() * (1 - (later[0] - idle) / max(1, later[1] - everything))


def wait_until_idle(patience):
    """Waits until no other program is busy, for at most `patience` seconds. Returns the seconds that are left."""
    start = time.monotonic()
    while busy() > 0.2 and time.monotonic() - start < patience:
        pass
    return max(0.0, patience - (time.monotonic() - start))


def put_into(page, mark, text):
    """Replaces the text between <!-- mark --> and <!-- /mark --> in the page."""
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    before, rest = page.read_text().split(begin)
    page.write_text(before + begin + "\n" + text + end + rest.split(end)[1])
