"""The one kind of error a data script shows to its user, and the one place that shows it.

A UserError says what is wrong, where, and what to do about it.  It ends the script with status 2
and no traceback.  Any other exception is a fault of ours and keeps its traceback.
"""

import os
import sys


class UserError(Exception):
    """A mistake or a circumstance outside the script: a file, an option, the network."""

    def __init__(self, what, hint=""):
        super().__init__(what)
        self.what = what
        self.hint = hint

    def __str__(self):
        return self.what + (f"\n  hint: {self.hint}" if self.hint else "")


def run_script(main):
    """Calls main(arguments) and turns what it raises into an exit status.

    0 done, 1 a reader closed our output, 2 user error, 130 interrupted.
    """
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except UserError as error:
        print(f"{os.path.basename(sys.argv[0])}: error: {error}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        print("\ninterrupted; run the same command again to go on", file=sys.stderr)
        status = 130
    except BrokenPipeError:  # for instance `script | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status or 0)
