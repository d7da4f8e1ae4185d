"""Writes the operation counts of the golden models anew and prints what moved.

python tools/golden.py
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "tests" / "mechanics" / "operations.json"
sys.path[:0] = [str(ROOT / "src"), str(FILE.parent)]


def main() -> None:
    """Count, compare, write."""
    import golden_models

    old = json.loads(FILE.read_text()) if FILE.exists() else {}
    new = {
        name: {quantity: golden_models.counts(f) for quantity, f in golden_models.functions(make()).items()}
        for name, make in golden_models.GOLDEN.items()
    }
    for name, quantities in new.items():
        for quantity, parts in quantities.items():
            for part, count in parts.items():
                before = old.get(name, {}).get(quantity, {}).get(part)
                if before != count:
                    print(f"{name} {quantity} {part}: {before} -> {count}")
    FILE.write_text(json.dumps(new, indent=2) + "\n")


if __name__ == "__main__":
    main()
