"""uvicorn with the options that ``packhorse serve`` gives it."""

from typing import Any

import uvicorn


def listen(app: Any, port: int) -> None:
    """Serve ``app`` until stopped."""
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=port,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=10,
    )
