"""The bare SDK's server as its documentation builds it: ``python sdk.py stdio``, or ``python sdk.py http PORT``."""

import sys

from mcp.server.mcpserver import MCPServer
from packhorse_bench.functions import add, echo

server = MCPServer("bench", log_level="WARNING")
server.add_tool(add)
server.add_tool(echo)

if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run()
    else:
        from listening import listen

        listen(server.streamable_http_app(), int(sys.argv[2]))
