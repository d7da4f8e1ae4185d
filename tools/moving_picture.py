"""Films a page of the gallery while a pointer grabs it, or a key is played, as an animated WebP.

python tools/moving_picture.py [grabbed|played]          needs chromium; writes docs/_static/NAME.webp

The page stands still, and its steps are asked for one by one, so that each picture is taken at its moment of
the model's time, however slow the machine is. The browser encodes the pictures; only what changes is kept.
"""

import base64
import json
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import doc_pictures
import gallery

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "docs" / "_static"
MECHANISM, BODY, GRIP = "slider_crank", "coupler", (0, 0)  # what is grabbed, pixels from its middle
WIDTH, HEIGHT, RATE, LENGTH = 720, 440, 15, 5.2  # pixels, pictures per second, s
LARGEST = {"grabbed": 1_000_000, "played": 500_000}  # bytes
QUALITY = {"grabbed": 0.72, "played": 0.6}
# the way of the hand: (s of the model, pixels to the right, pixels down); held from the first to the last
WAY = ((0.8, 0, 0), (1.3, -40, -110), (1.8, 60, -170), (2.3, 150, -60), (2.8, 40, 90), (3.2, -90, 60))
APPROACH = 0.6  # s that it comes and goes
# the key: (s of the model, speed of the finger, m/s; 0 lets go), and how many times slower it is shown
PIANO, STROKE, SLOW, SHOWN = "grand_action", ((0.010, 0.3), (0.140, 0.0)), 20, 0.24
PLAYED_SIZE = (780, 400)  # pixels
NOWHERE = (-100.0, -100.0, False)

ENCODE = """(async () => {
  const answer = await fetch("data:image/png;base64,%s");
  const image = await createImageBitmap(await answer.blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  pen.drawImage(image, 0, 0);
  const [x, y, held] = %s;
  pen.translate(x, y);
  pen.beginPath();
  pen.arc(0, 0, held ? 9 : 13, 0, 2 * Math.PI);
  pen.fillStyle = held ? "rgba(22, 103, 183, 0.25)" : "rgba(34, 37, 42, 0.2)";
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = held ? "#1667b7" : "#63686f";
  pen.stroke();
  pen.resetTransform();
  const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  const before = globalThis.before;
  globalThis.before = data;
  let left = before ? canvas.width : 0, top = before ? canvas.height : 0;
  let right = before ? -1 : canvas.width - 1, bottom = before ? -1 : canvas.height - 1;
  const differs = (k) => Math.abs(data[k] - before[k]);
  if (before) for (let k = 0; k < data.length; k += 4) {
    if (differs(k) + differs(k + 1) + differs(k + 2) < 12) continue;
    const column = (k / 4) %% canvas.width, row = Math.floor(k / 4 / canvas.width);
    left = Math.min(left, column); right = Math.max(right, column);
    top = Math.min(top, row); bottom = Math.max(bottom, row);
  }
  if (right < 0) [left, top, right, bottom] = [0, 0, 1, 1];
  left -= left %% 2; top -= top %% 2;
  const part = new OffscreenCanvas(right - left + 1, bottom - top + 1);
  part.getContext("2d", { alpha: false }).drawImage(canvas, -left, -top);
  const blob = await part.convertToBlob({ type: "image/webp", quality: %g });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let k = 0; k < bytes.length; k += 32768) text += String.fromCharCode(...bytes.subarray(k, k + 32768));
  return { left, top, width: part.width, height: part.height, data: btoa(text) };
})()"""


class Frame(NamedTuple):
    """A part of the picture that replaces what was there before: its place, its size, its WebP file."""

    left: int
    top: int
    width: int
    height: int
    file: bytes


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a RIFF file."""
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def image_chunks(file: bytes) -> bytes:
    """The chunks of a WebP file that hold its picture."""
    at, kept = 12, b""
    while at < len(file):
        kind, size = file[at : at + 4], struct.unpack("<I", file[at + 4 : at + 8])[0]
        if kind in (b"VP8 ", b"VP8L", b"ALPH"):
            kept += chunk(kind, file[at + 8 : at + 8 + size])
        at += 8 + size + size % 2
    return kept


def animation(frames: list[Frame], duration: int) -> bytes:
    """An animated WebP of frames that last so many milliseconds each, for ever.

    Reference: WebP Container Specification, section "Animation".
    """

    def three(*numbers: int) -> bytes:
        return b"".join(n.to_bytes(3, "little") for n in numbers)

    head = chunk(b"VP8X", b"\x02\0\0\0" + three(frames[0].width - 1, frames[0].height - 1))
    parts = [head, chunk(b"ANIM", b"\xff\xff\xff\xff\0\0")]
    for f in frames:
        place = three(f.left // 2, f.top // 2, f.width - 1, f.height - 1, duration)
        parts.append(chunk(b"ANMF", place + b"\x02" + image_chunks(f.file)))
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def way(t: float, start: tuple[float, float]) -> tuple[float, float, bool]:
    """Where the pointer is at a moment, and whether it holds; `start` is the point that it grabs."""
    times = [WAY[0][0] - APPROACH, *(w[0] for w in WAY), WAY[-1][0] + APPROACH]
    places = [(160, 120), *((w[1], w[2]) for w in WAY), (WAY[-1][1] + 130, WAY[-1][2] + 20)]
    k = max(0, min(len(times) - 2, sum(t >= x for x in times) - 1))
    part = min(1.0, max(0.0, (t - times[k]) / (times[k + 1] - times[k])))
    part = part * part * (3 - 2 * part)  # it starts and stops gently
    (x0, y0), (x1, y1) = places[k], places[k + 1]
    held = WAY[0][0] <= t < WAY[-1][0]
    return start[0] + x0 + part * (x1 - x0), start[1] + y0 + part * (y1 - y0), held


def film(window: Any, path: Path) -> Iterator[tuple[bytes, tuple[float, float, bool]]]:
    """Pictures of the page at equal intervals of the model's time, with the place of the pointer."""
    page = window.open(path, WIDTH, HEIGHT, hash="#stage")
    page.until("document.getElementById('badge').textContent !== ''")
    for part in (".bar", ".hint"):
        page.value(f"document.querySelector({part!r}).style.display = 'none'")
    page.value("window.hapsis.say({ kind: 'play', on: false })")
    page.value("window.hapsis.say({ kind: 'reset', parameters: true })")
    ticks = round(1.0 / RATE / page.value("window.hapsis.content.dt"))
    page.until("window.hapsis.ticks === 0")
    start, before = (0.0, 0.0), False
    for k in range(int(LENGTH * RATE)):
        t = k / RATE
        if not before and t < WAY[-1][0]:  # until it is held
            x, y = page.value(f"window.hapsis.whereIs({json.dumps(BODY)})")
            start = (x + GRIP[0], y + GRIP[1])
        x, y, held = way(t, start)
        _point(page, x, y, held, before)
        before = held
        page.value(f"for (let k = 0; k < {ticks}; k++) window.hapsis.say({{ kind: 'once' }})")
        page.until(f"window.hapsis.ticks === {(k + 1) * ticks}")
        yield page.picture(), (x, y, held)
    page.close()


def played(window: Any, path: Path) -> Iterator[tuple[bytes, tuple[float, float, bool]]]:
    """Pictures of the key while it is pressed and let go, in slow motion, with the curve of the finger."""
    page = window.open(path, *PLAYED_SIZE)
    page.until("document.getElementById('badge').textContent !== '' && window.hapsis.ticks > 1500")
    for part in (".bar", ".hint", ".views", ".choose", "#sliders", "#finger", "#badge", ".close"):
        page.value(f"document.querySelector({part!r}).style.display = 'none'")
    page.value("window.hapsis.say({ kind: 'play', on: false })")
    page.until("document.getElementById('play').textContent === 'Play'")
    page.settle()
    ticks = round(1.0 / RATE / SLOW / page.value("window.hapsis.content.dt"))
    first, strokes = page.value("window.hapsis.ticks"), list(STROKE)
    for k in range(int(SHOWN * SLOW * RATE)):
        if strokes and k / RATE / SLOW >= strokes[0][0]:
            page.value(f"window.hapsis.say({{ kind: 'press', value: {strokes.pop(0)[1]} }})")
        page.value(f"for (let k = 0; k < {ticks}; k++) window.hapsis.say({{ kind: 'once' }})")
        page.until(f"window.hapsis.ticks === {first + (k + 1) * ticks}")
        yield page.picture(), NOWHERE
    page.close()


FILMS = {"grabbed": (MECHANISM, film), "played": (PIANO, played)}


def _point(page: Any, x: float, y: float, held: bool, before: bool) -> None:
    buttons = {"button": "left", "buttons": 1} if held or before else {}
    if held and not before:
        page.mouse("Pressed", x, y, clickCount=1, **buttons)
    elif before and not held:
        page.mouse("Released", x, y, clickCount=1, **buttons)
    else:
        page.mouse("Moved", x, y, **buttons)


def encoder(window: Any, quality: float) -> Callable[[bytes, tuple[float, float, bool]], Frame]:
    """A function that turns a picture and a pointer into a frame, in a tab of its own."""
    target = window.command("Target.createTarget", root=True, url="about:blank")["targetId"]
    session = window.command("Target.attachToTarget", root=True, targetId=target, flatten=True)["sessionId"]

    def encode(picture: bytes, pointer: tuple[float, float, bool]) -> Frame:
        own, window.session = window.session, session
        text = ENCODE % (base64.b64encode(picture).decode(), json.dumps(pointer), quality)
        answer = window.command("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        window.session = own
        got = answer["result"]["value"]
        return Frame(got["left"], got["top"], got["width"], got["height"], base64.b64decode(got["data"]))

    return encode


def main() -> None:
    """Make the page, film it, write the file."""
    name = sys.argv[1] if len(sys.argv) > 1 else "grabbed"
    (mechanism, shots), target, largest = FILMS[name], STATIC / f"{name}.webp", LARGEST[name]
    with tempfile.TemporaryDirectory() as place, doc_pictures.opened_browser() as window:
        folder = Path(place)
        gallery.make(mechanism, folder)
        encode = encoder(window, QUALITY[name])
        frames = [encode(*shot) for shot in shots(window, folder / f"{mechanism}.html")]
    content = animation(frames, round(1000 / RATE))
    if len(content) > largest:
        raise SystemExit(f"{len(content)} bytes, more than {largest}")
    target.write_bytes(content)
    print(f"{target}: {len(frames)} frames, {len(content)} bytes")


if __name__ == "__main__":
    main()
