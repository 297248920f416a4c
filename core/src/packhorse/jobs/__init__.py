"""Long work that survives the process: keyed, owned, cancellable, run in a child process of its own.

A tool with ``job=True`` returns `Work`, which names a function and its
arguments. An executor runs that function in a child process; the function
takes a `Running` first, to tell its progress and to ask questions.

DBOS keeps the queue: order, priorities, how many at a time. The ledger keeps
the facts: whose job it is, how far it came, what came out, and the epoch that
makes a result count. dbos is imported when the first job starts.
"""

from packhorse.jobs.running import Running
from packhorse.jobs.work import Job, Owner, Progress, Status, Work

__all__ = ["Job", "Owner", "Progress", "Running", "Status", "Work"]
