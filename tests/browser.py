"""A real browser, driven over its DevTools protocol by the standard library alone."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless --no-sandbox --disable-gpu-sandbox --use-gl=angle --use-angle=swiftshader "
    "--enable-unsafe-swiftshader --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --remote-debugging-pipe"
).split()
COUNT = """(async () => {
  const answer = await fetch("data:image/png;base64,%s");
  const image = await createImageBitmap(await answer.blob());
  const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const data = pen.getImageData(0, 0, image.width, image.height).data;
  let n = 0;
  for (let k = 0; k < data.length; k += 4) {
    const r = data[k], g = data[k + 1], b = data[k + 2];
    if (%s) n++;
  }
  return n / (data.length / 4);
})()"""
PATIENCE = 60.0  # seconds until a browser that does not answer counts as broken


def found() -> str | None:
    """The browser's program, or nothing; where pipes cannot be handed on, also nothing."""
    if os.name == "nt" or not shutil.which("bash"):
        return None
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One browser process and its messages: commands out, answers and events in.

    The protocol runs over two pipes, which the browser knows as its files 3 and 4; messages
    are JSON texts that end with a zero byte.
    """

    def __init__(self, program: str):
        self.folder = tempfile.mkdtemp(prefix="hapsis-browser-")
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()
        command = [program, *FLAGS, f"--user-data-dir={self.folder}", "about:blank"]
        # a shell puts the two pipe ends where the browser looks for them
        shell = f'exec "$@" 3<&{read_there} 4>&{write_there}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "bash", *command],
            pass_fds=(read_there, write_there),
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_there)
        os.close(write_there)
        self.input, self.output = read_here, write_here
        self.pending, self.number, self.events = b"", 0, []
        self.session = None

    def close(self) -> None:
        """End the browser's processes and remove its profile."""
        try:
            self.command("Browser.close", root=True)
            self.process.wait(10)
        except (OSError, RuntimeError, TimeoutError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _message(self, deadline: float):
        while b"\0" not in self.pending:
            ready = select.select([self.input], [], [], max(0.0, deadline - time.monotonic()))[0]
            if not ready:
                raise TimeoutError("the browser does not answer")
            got = os.read(self.input, 1 << 20)
            if not got:
                raise RuntimeError("the browser has ended")
            self.pending += got
        text, self.pending = self.pending.split(b"\0", 1)
        return json.loads(text)

    def command(self, method: str, root: bool = False, **arguments):
        """The answer to one command; events that arrive meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": arguments}
        if self.session and not root:
            message["sessionId"] = self.session
        raw = json.dumps(message).encode() + b"\0"
        while raw:
            raw = raw[os.write(self.output, raw) :]
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer.get("result", {})
            self.events.append(answer)

    def wait(self, condition) -> None:
        """Read events until one meets the condition, looking at those kept first."""
        deadline = time.monotonic() + PATIENCE
        while not any(condition(event) for event in self.events):
            self.events.append(self._message(deadline))

    def open(self, path: Path, width: int = 1280, height: int = 860, **page: str) -> "Page":
        """A new tab that shows a file; `page` may have `hash`, `scheme` and `script`."""
        return Page(self, path, width, height, **page)


class Page:
    """A tab: what it printed, what it asked for, and hands to work it."""

    def __init__(
        self,
        browser: Browser,
        path: Path,
        width: int,
        height: int,
        hash: str = "",
        scheme: str = "light",
        script: str = "",
    ):
        self.browser = browser
        browser.session, browser.events = None, []
        target = browser.command("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.command("Target.attachToTarget", targetId=target, flatten=True)
        self.target = target
        browser.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.command(f"{domain}.enable")
        browser.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.command("Emulation.setEmulatedMedia", features=features)
        if script:
            browser.command("Page.addScriptToEvaluateOnNewDocument", source=script)
        self.url = path.resolve().as_uri() + hash
        browser.command("Page.navigate", url=self.url)
        browser.wait(lambda event: event.get("method") == "Page.loadEventFired")
        self.settle()

    def close(self) -> None:
        self.browser.session = None
        self.browser.command("Target.closeTarget", targetId=self.target)

    def value(self, expression: str):
        """What an expression is worth in the page."""
        got = self.browser.command(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in got:
            raise RuntimeError(str(got["exceptionDetails"]))
        return got["result"].get("value")

    def settle(self) -> None:
        """Wait until the page has drawn twice."""
        self.value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def until(self, expression: str) -> None:
        """Wait until an expression of the page is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.value(expression):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {expression}")
            self.settle()

    def complaints(self) -> list[str]:
        """All that went to the console or was thrown, as text."""
        kinds = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        self.value("1")
        return [json.dumps(e["params"]) for e in self.browser.events if e.get("method") in kinds]

    def requests(self) -> list[str]:
        """The addresses the page asked for, without those that lie in the page itself."""
        sent = [e for e in self.browser.events if e.get("method") == "Network.requestWillBeSent"]
        urls = [e["params"]["request"]["url"] for e in sent]
        return [url for url in urls if not url.startswith("data:")]

    def key(self, key: str, text: str = "", modifiers: int = 0) -> None:
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.browser.command("Input.dispatchKeyEvent", type=kind, key=key, modifiers=modifiers, **more)
        self.settle()

    def mouse(self, kind: str, x: float, y: float, **more) -> None:
        self.browser.command("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)

    def drag(self, x: float, y: float, dx: float, dy: float, modifiers: int = 0) -> None:
        held = {"button": "left", "buttons": 1, "modifiers": modifiers}
        self.mouse("Pressed", x, y, clickCount=1, **held)
        self.mouse("Moved", x + dx / 2, y + dy / 2, **held)
        self.mouse("Moved", x + dx, y + dy, **held)
        self.mouse("Released", x + dx, y + dy, clickCount=1, **held)
        self.settle()

    def click(self, selector: str) -> None:
        x, y = self.value(
            f"(() => {{ const r = document.querySelector({json.dumps(selector)})"
            ".getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()"
        )
        self.drag(x, y, 0, 0)

    def frames(self) -> list["Frame"]:
        """The frames of the page that have a process of their own, as sandboxed ones do."""
        kinds = self.browser.command("Target.getTargets", root=True)["targetInfos"]
        return [Frame(self.browser, each["targetId"]) for each in kinds if each["type"] == "iframe"]

    def downloads(self, folder: Path) -> None:
        """Files that the page saves go into a folder."""
        self.browser.command(
            "Browser.setDownloadBehavior", root=True, behavior="allow", downloadPath=str(folder)
        )

    def picture(self) -> bytes:
        """The page as it looks, as PNG."""
        self.settle()
        return base64.b64decode(self.browser.command("Page.captureScreenshot")["data"])

    def shows(self, condition: str, least: float, most: float = 1.0) -> bool:
        """Whether the share of such pixels is between two limits, soon: a busy browser shows late what it
        has drawn."""
        deadline = time.monotonic() + PATIENCE
        while not least <= self.share(condition) <= most:
            if time.monotonic() > deadline:
                return False
        return True

    def becomes(self, expected: bytes) -> bool:
        """Whether the picture becomes this one, soon."""
        deadline = time.monotonic() + PATIENCE
        while self.picture() != expected:
            if time.monotonic() > deadline:
                return False
        return True

    def differs(self, before: bytes) -> bool:
        """Whether the picture becomes another one, soon."""
        deadline = time.monotonic() + PATIENCE
        while self.picture() == before:
            if time.monotonic() > deadline:
                return False
        return True

    def share(self, condition: str) -> float:
        """The part of the picture's pixels whose r, g, b meet a condition in JavaScript.

        The picture is read by another, empty tab: this one may run nothing but its own script.
        """
        text = base64.b64encode(self.picture()).decode()
        own = self.browser.session
        target = self.browser.command("Target.createTarget", root=True, url="about:blank")
        target = target["targetId"]
        attached = self.browser.command("Target.attachToTarget", root=True, targetId=target, flatten=True)
        self.browser.session = attached["sessionId"]
        try:
            return float(self.value(COUNT % (text, condition)) or 0.0)
        finally:
            self.browser.session = own
            self.browser.command("Target.closeTarget", root=True, targetId=target)


class Frame:
    """A frame inside a page, which expressions look into."""

    def __init__(self, browser: Browser, target: str):
        self.browser = browser
        self.session = browser.command("Target.attachToTarget", root=True, targetId=target, flatten=True)[
            "sessionId"
        ]

    def value(self, expression: str):
        """What an expression is worth in the frame."""
        own, self.browser.session = self.browser.session, self.session
        try:
            got = self.browser.command(
                "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
            )
        finally:
            self.browser.session = own
        if "exceptionDetails" in got:
            raise RuntimeError(str(got["exceptionDetails"]))
        return got["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression of the frame is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.value(expression):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {expression}")
            self.value("new Promise(r => setTimeout(r, 30))")
