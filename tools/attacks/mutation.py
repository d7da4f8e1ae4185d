"""Random damage of texts and bytes, and the files that are damaged."""

import random
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples" / "models"
NUMBERS = """nan inf -inf 1e400 -1 0 1e-320 1e308 -1e308 0x10 1_0 1,5 ١ true null 1/0 sqrt(-1) 1e --1 . -0.0
1e-300 2 0.5 -0.3 1e-3 3e2 L 1e150 -1e150 1e60 1e-150 1e16 -1e-9""".split()
NUMBERS += ["", "9" * 400, "rho / 2", "1 + 1", "t", "1e200 * 1e200", "0 * 1e308", "exp(800)", "2 ** 5000"]
TEXTS = ["\0", "\n", "\t", "'", '"', *"{}[]:,#?|>%@<\\", "&a", "*a", "!!x", "<<", "- ", "---\n", "/>", "<!--"]
TEXTS += ["]]>", "&lt;", "&#0;", "<!DOCTYPE x>", "\ufeff", "\u202e", "world", "../", "package://", "é"]
TEXTS += ['"\\ud800"', "\\ud800", "=1+1", "\u00a0", "e\u0301"]
TOKEN = re.compile(r"[\w.+-]+")


def everything(ending: str) -> str:
    """A file with nearly all that its format can say."""
    return (Path(__file__).parent / "models" / f"everything.{ending}").read_text(encoding="utf-8")


def corpus(ending: str) -> list[str]:
    """Files of a format: with everything, the examples, and the bad files of the tests."""
    folders = (MODELS, ROOT / "tests" / "mechanics" / "formats" / "bad")
    texts = [everything(ending)] * 5  # often
    for path in sorted(path for folder in folders for path in folder.glob(f"*.{ending}")):
        texts.append(path.read_bytes().decode("utf-8", "replace"))
    return [text for text in texts if text]


def mutated(text: str | bytes, draw: random.Random) -> bytes:
    """The bytes of the text with one to three random changes."""
    data = bytearray(text.encode() if isinstance(text, str) else text)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        if not data:
            break
        kind = draw.choice((0, 0, 1, 2, 3, 4, 5, 5, 5, 6, 6))
        if kind == 0:
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        elif kind == 1:
            a = draw.randrange(len(data))
            del data[a : a + draw.choice((1, 1, 5, 100))]
        elif kind == 2:
            a, b = sorted(draw.randrange(len(data)) for _ in range(2))
            data[b:b] = data[a:b][:300]
        elif kind == 3:
            at = draw.randrange(len(data))
            data[at:at] = draw.choice(TEXTS).encode()
        elif kind == 4:
            del data[draw.randrange(len(data)) :]
        else:
            data = bytearray(swapped(data, draw, kind == 5))
    return bytes(data)


def swapped(data: bytes | bytearray, draw: random.Random, numbers: bool) -> bytes:
    """One word replaced by a strange number, or by another word of the file."""
    text = data.decode("utf-8", "surrogateescape")
    words = list(TOKEN.finditer(text))
    if not words:
        return bytes(data)
    word = draw.choice(words)
    new = draw.choice(NUMBERS) if numbers else draw.choice(words)[0]
    text = text[: word.start()] + new + text[word.end() :]
    return text.encode("utf-8", "surrogateescape")


def flipped(data: bytes, draw: random.Random) -> bytes:
    """Binary content with bits flipped, bytes replaced, pieces cut, doubled or moved."""
    result = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 3, 20))):
        if not result:
            break
        a = draw.randrange(len(result))
        match draw.randrange(7):
            case 0 | 1:
                result[a] ^= 1 << draw.randrange(8)
            case 2:
                result[a] = draw.randrange(256)
            case 3:
                result[a : a + 8] = draw.choice((b"\xff" * 8, bytes(8), b"\xff" * 7 + b"\x7f", b"\0\0\0\x80"))
            case 4:
                del result[a : a + draw.choice((1, 4, 100))]
            case 5:
                b = draw.randrange(len(result))
                result[b:b] = result[a : a + draw.choice((1, 8, 200))]
            case _:
                if draw.random() < 0.3:
                    del result[a:]
    return bytes(result)
