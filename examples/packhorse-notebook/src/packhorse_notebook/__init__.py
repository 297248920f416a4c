"""Every call as a line of JSON: a record that takes the place of the host's own."""

import json
from threading import Lock

from packhorse import Observer, hookimpl


class Notebook(Observer):
    essential = True  # a call that cannot be written down must not change anything

    def __init__(self, host):
        self.host, self.lock = host, Lock()

    def write(self, step, call):
        line = {"at": self.host.clock().isoformat(), "step": step, "name": call.name, "request": call.request_id}
        with self.lock, (self.host.data_dir / "calls.jsonl").open("a") as book:
            book.write(json.dumps({**line, "caller": self.host.pseudonym(call.principal)}) + "\n")

    def begins(self, call):
        self.write("begins", call)

    def ends(self, call, outcome):
        self.write(outcome.word, call)


@hookimpl
def register_observers(host):
    return [Notebook(host)]
