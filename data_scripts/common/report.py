"""What a script prints while it works: a progress line, and a table of counts after each step."""

import sys
import time


class Progress:
    """One line that is redrawn on a terminal; elsewhere plain lines, at most one in ten seconds."""

    def __init__(self, label, total=None, unit="bytes", stream=None):
        self._label, self._total, self._unit = label, total, unit
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._start = self._shown = time.monotonic()
        self._first = None
        self._width = 0

    def update(self, done):
        """Shows that `done` units of `total` are there."""
        if self._first is None:
            self._first = done  # what an earlier run left does not count for the rate
        now = time.monotonic()
        if now - self._shown < (0.2 if self._terminal else 10.0):
            return
        self._shown = now
        self._print(self._line(done, now))

    def finish(self):
        if self._terminal and self._width:
            self._print("")
            self._stream.write("\r")
            self._stream.flush()

    def _line(self, done, now):
        rate = (done - (self._first or 0)) / max(now - self._start, 1e-9)
        text = f"{self._label}: {_amount(done, self._unit)}"
        if self._total:
            text += f" of {_amount(self._total, self._unit)} ({100 * done // self._total} %)"
        text += f", {_amount(rate, self._unit)}/s"
        if self._total and rate > 0:
            text += f", {(self._total - done) / rate:.0f} s left"
        return text

    def _print(self, text):
        if self._terminal:
            self._stream.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()


def _amount(value, unit):
    if unit != "bytes":
        return f"{value:,.0f} {unit}"
    return f"{value / 1e6:.1f} MB" if value >= 1e5 else f"{value / 1e3:.1f} kB"


class Steps:
    """Counts what each rule of a clean-up drops, prints the table and keeps it for the manifest."""

    def __init__(self, unit="pairs"):
        self.unit = unit
        self.rows = []  # (text, number, kind): kind is "have", "drop" or "note"

    def have(self, text, number):
        self.rows.append((text, number, "have"))
        print(f"{number:>10,}  {text}", flush=True)

    def drop(self, text, number):
        self.rows.append((text, number, "drop"))
        print(f"{-number:>10,}    dropped: {text}", flush=True)

    def note(self, text, number):
        """A count that explains, but neither adds nor takes."""
        self.rows.append((text, number, "note"))
        print(f"{'':>10}    ({number:,} {text})", flush=True)

    def as_json(self):
        return [{"step": text, kind: number} for text, number, kind in self.rows]
