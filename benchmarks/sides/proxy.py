"""FastMCP as a proxy of another server, as its documentation builds it: ``python proxy.py URL PORT``."""

import os
import sys

os.environ["FASTMCP_LOG_LEVEL"] = "WARNING"  # as on every side; read while it is imported

from fastmcp.server.server import create_proxy
from listening import listen

if __name__ == "__main__":
    listen(create_proxy(sys.argv[1], name="proxy").http_app(), int(sys.argv[2]))
