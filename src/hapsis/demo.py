"""The demonstration that `hapsis demo` runs."""


def main(check: bool = False) -> int:
    """Run the demonstration and return the exit status.

    With `check`, verify the numbers it shows instead of only showing them.
    """
    print("hapsis demo: nothing to show yet" + (", nothing to check" if check else ""))
    return 0
