"""FastMCP as its documentation builds it: ``python fast.py stdio``, or ``python fast.py http PORT``."""

import os
import sys

os.environ["FASTMCP_LOG_LEVEL"] = "WARNING"  # as on every side; read while it is imported

from fastmcp import FastMCP
from packhorse_bench.functions import add, echo

server = FastMCP("bench")
server.tool(add)
server.tool(echo)

if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run(show_banner=False)
    else:
        from listening import listen

        listen(server.http_app(), int(sys.argv[2]))
