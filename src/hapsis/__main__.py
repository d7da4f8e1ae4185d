"""`python -m hapsis` is the same as the command `hapsis`."""

import sys

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

if __name__ == "__main__":
    sys.exit(main())
