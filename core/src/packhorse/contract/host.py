"""What a hook receives: the host, as one pack sees it."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from packhorse.contract.clock import Clock, NewId, ids, system_clock
from packhorse.store.permissions import private_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from packhorse.contract.observers import ObservedCall
    from packhorse.contract.packs import Offered
    from packhorse.contract.principal import Principal
    from packhorse.store.sqlite import Store

T = TypeVar("T")


class Host:
    """The surroundings of one pack.

    ``settings`` is the pack's own settings model, filled (None when the pack
    declares none). ``clock`` gives the present instant in UTC and ``new_id`` a
    fresh id; take time and ids from nowhere else, so that tests and replays
    are exact. ``jobs`` is the queue of long-running jobs, for the pack of the
    host's own that shows them.
    """

    def __init__(
        self,
        pack: str,
        *,
        data_dir: Path,
        settings: Any = None,
        migrations: Sequence[str] = (),
        clock: Clock = system_clock,
        new_id: NewId | None = None,
        database: str | None = None,
        pseudonym: Callable[[Principal], str | None] = lambda principal: None,
        jobs: Any = None,
    ) -> None:
        self.pack = pack
        self.settings = settings
        self.clock = clock
        self.new_id = new_id or ids(clock)
        self._data_dir = data_dir
        self._migrations = tuple(migrations)
        self._database = database
        self._pseudonym = pseudonym
        self.jobs = jobs
        self._own: Any = None
        self._making = RLock()
        self.open_page: Callable[[str], bool] = lambda path: False
        """Open a public route of the pack in the browser of this machine, where a server over stdio can."""
        self.approvals_at: Callable[[], str] = str
        """The address at which people decide what `Approvals` of this pack wait; empty where no such page is served."""
        self.noted: Callable[[ObservedCall], None] = lambda call: None
        """Tell the observers of what a person did outside of any call; `record` makes it."""
        self.served: Callable[[], Sequence[Offered]] = tuple
        """For commands: the tools of every pack that these settings serve, as the user of this machine has them."""

    @property
    def data_dir(self) -> Path:
        """A folder of the pack's own, created on first use; nobody else's to read."""
        private_folder(self._data_dir)
        return private_folder(self._data_dir / self.pack)

    def own(self, make: Callable[[Host], T]) -> T:
        """The pack's one object for this deployment: made at the first call, shared by its hooks and tools after."""
        with self._making:
            if self._own is None:
                self._own = make(self)
            made: T = self._own
            return made

    @property
    def owned(self) -> Any:
        """What `own` made; None where nothing has asked for it."""
        return self._own

    def record(self, name: str, person: Principal, **facts: str) -> None:
        """Put a person's decision on record: what was decided, by whom, and what else there is to say of it."""
        from packhorse.contract.observers import ObservedCall

        self.noted(ObservedCall("decision", name, person, None, self.pack, offer="decision", facts=facts))

    def pseudonym(self, principal: Principal) -> str | None:
        """A caller as the log names it: the same for every call, and no name; None for one without a subject."""
        return self._pseudonym(principal)

    def store(self) -> Store:
        """Open the pack's store, migrated; close it, or use it as a context manager.

        A store belongs to the thread that opened it: open one inside the call.
        """
        if self._database is not None:
            from packhorse.store.postgres import PostgresStore, schema_of

            return PostgresStore.connect(self._database, schema_of(self.pack), self._migrations)
        from packhorse.store.sqlite import Store  # most calls need no store

        return Store.open(self.data_dir / "store.sqlite3", self._migrations)
