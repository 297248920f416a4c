"""The bare SDK's server, with the garbage collector treated as ``packhorse serve`` treats it: ``python sdk_frozen.py``.

It tells how much of the start is that treatment, and how much the host.
"""

import gc

gc.disable()

from sdk import server  # noqa: E402 - the collector is off while this is imported

if __name__ == "__main__":
    gc.freeze()
    gc.enable()
    server.run()
