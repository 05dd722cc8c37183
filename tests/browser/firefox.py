"""Firefox without a window, driven by its own protocol (Marionette): lines of JSON over a socket.

Playwright drives Firefox builds of its own only, and WebDriver would need a program that Debian does not have.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("firefox-esr", "firefox")
WAIT = 60  # seconds for Firefox to start

PREFERENCES = {
    "marionette.port": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.download.folderList": 2,
    "browser.download.useDownloadDir": True,
    "browser.download.alwaysOpenPanel": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "app.normandy.enabled": False,
}

# What a page of the viewer wrote to the console, or threw: of Firefox's own messages there are others.
PROBLEMS = """
const messages = Services.console.getMessageArray().filter((each) => each instanceof Ci.nsIScriptError);
const own = messages.filter((each) => each.sourceName.startsWith(arguments[0]) || each.category.includes("CSP"));
Services.console.reset();
return own.map((each) => `${each.category}: ${each.errorMessage}`);
"""


class Firefox:
    """One Firefox with one window."""

    def __init__(self, program: str, folder: Path) -> None:
        self.downloads = folder / "downloads"
        self.downloads.mkdir(parents=True)
        profile = folder / "profile"
        profile.mkdir()
        chosen = PREFERENCES | {"browser.download.dir": str(self.downloads)}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in chosen.items()]
        (profile / "user.js").write_text("\n".join(lines))
        given = [
            program,
            "--headless",
            "--marionette",
            "--remote-allow-system-access",
            "--no-remote",
            "--profile",
            str(profile),
        ]
        self._process = subprocess.Popen(given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._socket = socket.create_connection(("127.0.0.1", self._port(profile)), timeout=WAIT)
        self._numbers = 0
        self._answer()  # it says who it is
        self.ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": False}}})

    def _port(self, profile: Path) -> int:
        """The port that Firefox has taken; it writes it down."""
        file = profile / "MarionetteActivePort"
        until = time.monotonic() + WAIT
        while not (file.is_file() and file.read_text().strip()):
            if self._process.poll() is not None or time.monotonic() > until:
                raise TimeoutError("Firefox did not start.")
            time.sleep(0.1)
        return int(file.read_text())

    def ask(self, command: str, arguments: dict[str, Any]) -> Any:
        """A command of Marionette, and its answer."""
        self._numbers += 1
        text = json.dumps([0, self._numbers, command, arguments])
        self._socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, found = self._answer()
        if error:
            raise RuntimeError(f"{command}: {error['message']}")
        return found

    def _answer(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._socket.recv(1)
        left = int(length[:-1])
        parts = []
        while left:
            parts.append(self._socket.recv(min(left, 65_536)))
            left -= len(parts[-1])
        return json.loads(b"".join(parts))

    def resize(self, width: int, height: int) -> None:
        """Make the page that large."""
        for _ in range(2):  # the first answer tells how much the window's own parts take
            inner = self.run("return [innerWidth, innerHeight]")
            outer = self.ask("WebDriver:GetWindowRect", {})
            wide, high = outer["width"] - inner[0] + width, outer["height"] - inner[1] + height
            self.ask("WebDriver:SetWindowRect", {"width": wide, "height": high})

    def open(self, address: str) -> None:
        """Open an address, and wait until the viewer has drawn."""
        self.ask("WebDriver:Navigate", {"url": "about:blank"})
        self.ask("WebDriver:Navigate", {"url": address})
        self.until("return document.querySelector('#app[data-frame]') !== null")

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page."""
        given = {"script": script, "args": list(arguments), "newSandbox": True, "sandbox": None}
        return self.ask("WebDriver:ExecuteScript", given)["value"]

    def until(self, script: str, *arguments: Any, seconds: float = 30) -> None:
        """Wait until a script in the page is true."""
        end = time.monotonic() + seconds
        while not self.run(script, *arguments):
            if time.monotonic() > end:
                raise TimeoutError(f"Firefox waited in vain for: {script}")
            time.sleep(0.05)

    def element(self, testid: str) -> dict[str, str]:
        """The handle of what has that test id."""
        given = {"using": "css selector", "value": f"[data-testid='{testid}']"}
        found: dict[str, str] = self.ask("WebDriver:FindElement", given)["value"]
        return found

    def click(self, testid: str) -> None:
        """Click as a person does: what is covered or hidden cannot be."""
        (handle,) = self.element(testid).values()
        self.ask("WebDriver:ElementClick", {"id": handle})

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("WebDriver:PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def text(self, testid: str) -> str:
        """The text of what has that test id."""
        found: str = self.run("return document.querySelector(`[data-testid='${arguments[0]}']`).textContent", testid)
        return found

    def problems(self, address: str) -> list[str]:
        """The errors and warnings of pages at that address since this was asked last."""
        self.ask("Marionette:SetContext", {"value": "chrome"})
        found: list[str] = self.run(PROBLEMS, address)
        self.ask("Marionette:SetContext", {"value": "content"})
        return found

    def screenshot(self) -> str:
        """The page as PNG, in base64."""
        found: str = self.ask("WebDriver:TakeScreenshot", {"full": False, "hash": False})["value"]
        return found

    def close(self) -> None:
        """End this Firefox."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(timeout=WAIT)
