"""Takes the pictures of docs/tutorial.md anew, from the pages that its own program writes.

python tools/doc_pictures.py                  needs chromium
python tools/doc_pictures.py thumbnails       the small pictures of examples and tasks
"""

import base64
import contextlib
import re
import struct
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "_static"
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
LARGEST = 120_000  # bytes
COLOURS = (256, 128, 64, 32, 16)

# the page that the tutorial writes, the picture, its size, the moment, and what is pressed
SHOTS: tuple[tuple[str, str, tuple[int, int], str, tuple[str, ...]], ...] = (
    ("pendulum.html", "plot.png", (900, 580), "", ()),
    ("friction.html", "friction.png", (900, 650), "", ()),
    ("double_pendulum.html", "double_pendulum.png", (1100, 660), "#t=1.5", ("trails", "energy")),
    ("ball.html", "ball.png", (900, 650), "", ()),
    ("controller.html", "controller.png", (900, 430), "", ()),
    ("arm.html", "player.png", (1100, 700), "#t=1.5", ("forces", "-pan", "-elbow", "hand.force")),
    ("arm_plot.html", "arm_plot.png", (900, 580), "", ()),
)
PIXELS = """(async () => {
  const answer = await fetch("data:image/png;base64,%s");
  const image = await createImageBitmap(await answer.blob());
  const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const data = pen.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (let k = 0; k < data.length; k += 32768)
    text += String.fromCharCode(...data.subarray(k, k + 32768));
  return {width: image.width, height: image.height, data: btoa(text)};
})()"""
CLICK = """[...document.querySelectorAll("#signals button, [data-toggle]")]
  .find(b => b.textContent.split(",")[0] === "%s" || b.dataset.toggle === "%s").click()"""


def program(page: Path) -> str:
    """The blocks of a page, one after the other."""
    text = page.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M))


def pixels(window: Any, picture: bytes) -> Any:
    """(height, width, 3) of a PNG, read by the browser in an empty tab."""
    target = window.command("Target.createTarget", root=True, url="about:blank")["targetId"]
    attached = window.command("Target.attachToTarget", root=True, targetId=target, flatten=True)
    window.session = attached["sessionId"]
    text = PIXELS % base64.b64encode(picture).decode()
    got = window.command("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)[
        "result"
    ]["value"]
    window.command("Target.closeTarget", root=True, targetId=target)
    raw = np.frombuffer(base64.b64decode(got["data"]), dtype=np.uint8)
    return raw.reshape(got["height"], got["width"], 4)[:, :, :3]


def palette(colours: Any, counts: Any, most: int) -> Any:
    """For each colour the number of its box; the widest box is halved until there are enough."""
    boxes = [np.arange(len(colours))]
    while len(boxes) < most:
        spread = [np.ptp(colours[b], axis=0).max() * counts[b].sum() ** 0.3 for b in boxes]
        box = boxes.pop(int(np.argmax(spread)))
        axis = int(np.argmax(np.ptp(colours[box], axis=0)))
        box = box[np.argsort(colours[box, axis], kind="stable")]
        half = int(np.searchsorted(np.cumsum(counts[box]), counts[box].sum() / 2))
        half = min(max(half, 1), len(box) - 1)
        boxes += [box[:half], box[half:]]
    numbers = np.zeros(len(colours), dtype=np.uint8)
    for k, box in enumerate(boxes):
        numbers[box] = k
    return numbers


def png(image: Any, most: int = 256) -> bytes:
    """The image as a PNG of at most so many colours."""
    flat = image.reshape(-1, 3)
    colours, inverse, counts = np.unique(flat, axis=0, return_inverse=True, return_counts=True)
    numbers = palette(colours, counts, min(most, len(colours)))
    table = np.zeros((int(numbers.max()) + 1, 3))
    for axis in range(3):
        table[:, axis] = np.bincount(numbers, colours[:, axis] * counts)
    table /= np.bincount(numbers, counts)[:, None]
    rows = numbers[inverse.ravel()].reshape(image.shape[:2])
    rows = np.pad(rows, ((0, 0), (1, 0)))  # each row begins with its filter, none
    head = struct.pack(">2I5B", image.shape[1], image.shape[0], 8, 3, 0, 0, 0)
    parts = {
        b"IHDR": head,
        b"PLTE": table.round().astype(np.uint8).tobytes(),
        b"IDAT": zlib.compress(rows.tobytes(), 9),
        b"IEND": b"",
    }
    content = b"\x89PNG\r\n\x1a\n"
    for kind, data in parts.items():
        content += struct.pack(">I", len(data)) + kind + data
        content += struct.pack(">I", zlib.crc32(kind + data))
    return content


def small(window: Any, raw: bytes, largest: int = LARGEST) -> bytes:
    """The picture with as many colours as fit."""
    image = pixels(window, raw)
    return next(content for most in COLOURS if len(content := png(image, most)) <= largest)


@contextlib.contextmanager
def opened_browser() -> Iterator[Any]:
    """A browser, closed at the end."""
    import browser  # pyright: ignore[reportMissingImports]

    program_path: Any = browser.found()
    if program_path is None:
        raise SystemExit("there is no browser here")
    window = browser.Browser(program_path)
    try:
        yield window
    finally:
        window.close()


def main() -> None:
    """Run the tutorial, open its pages, take pictures."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        exec(compile(program(ROOT / "docs" / "tutorial.md"), "tutorial.md", "exec"), {})
        with opened_browser() as window:
            for file, picture, (width, height), moment, pressed in SHOTS:
                page = window.open(Path(file), width, height, hash=moment)
                for button in pressed:
                    page.value(CLICK % ((button.lstrip("-"),) * 2))
                for _ in range(6):
                    page.settle()
                raw = page.picture()
                page.close()
                content = small(window, raw)
                (PICTURES / picture).write_bytes(content)
                print(f"{picture}  {len(content)} bytes")


if __name__ == "__main__":
    if sys.argv[1:2] == ["thumbnails"]:
        import thumbnails

        thumbnails.main()
    else:
        main()
