"""`hyloop devices`: what there is to run on."""

from __future__ import annotations

from hyloop.cli.options import Json, Quiet
from hyloop.cli.show import as_json, table
from hyloop.execute.devices import devices as found_devices


def devices(json: Json = False, quiet: Quiet = False) -> None:
    """Show what there is to run on: the CPU's engine, a GPU, PyTorch; and why something cannot be used.

    Examples:
      hyloop devices
      hyloop devices --json
    """
    del quiet
    found = found_devices()
    if json:
        as_json({each.backend: each.document() for each in found})
        return
    rows = [(each.backend, "yes" if each.usable else "no", each.device, each.remark) for each in found]
    table("Devices", ("--backend", "usable", "device", "remark"), rows)
