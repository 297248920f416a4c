"""The bare SDK's server as its documentation builds it: ``python sdk.py stdio``, or ``python sdk.py http PORT``.

With ``lean`` in the place of ``http`` it answers in one piece and keeps no session, which costs the least.
"""

import sys

from mcp.server.mcpserver import MCPServer
from packhorse_bench.functions import add, echo, keep

server = MCPServer("bench", log_level="WARNING")
server.add_tool(add)
server.add_tool(echo)

if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run()
    else:
        from listening import listen

        lean = sys.argv[1] == "lean"
        if lean:
            server.add_tool(keep)
        listen(server.streamable_http_app(json_response=lean, stateless_http=lean), int(sys.argv[2]))
