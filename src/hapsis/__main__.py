"""`python -m hapsis` is the same as the command `hapsis`."""

import signal
import sys

# until the command line is loaded, which says so in one line, Ctrl-C ends the process without a traceback
_usual = signal.getsignal(signal.SIGINT)
if _usual is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

try:
    from hapsis.cli import main
except ModuleNotFoundError as error:
    # the command line itself needs a package; the doctor does not, so it can still speak
    if (error.name or "hapsis").partition(".")[0] == "hapsis":
        raise
    from hapsis.doctor import main as examine

    if sys.argv[1:2] == ["doctor"]:
        sys.exit(examine())
    print(f'hapsis: the package "{error.name}" is missing; run hapsis doctor', file=sys.stderr)
    sys.exit(2)
finally:
    if _usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, _usual)

if __name__ == "__main__":
    sys.exit(main())
