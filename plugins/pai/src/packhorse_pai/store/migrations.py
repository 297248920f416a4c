"""The tables, in the order in which they came."""

from packhorse.store.tickets import TABLE

MIGRATIONS = (
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY, root TEXT NOT NULL, parent TEXT, parent_step INTEGER, agent TEXT NOT NULL,
        chain TEXT NOT NULL, owner TEXT NOT NULL, mission TEXT NOT NULL, context TEXT NOT NULL,
        constraints TEXT NOT NULL, supervised INTEGER NOT NULL, reading INTEGER NOT NULL, spawning INTEGER NOT NULL,
        mind TEXT NOT NULL,
        used TEXT NOT NULL, seconds REAL NOT NULL, status TEXT NOT NULL, log TEXT NOT NULL, policy TEXT NOT NULL,
        started TEXT NOT NULL, ended TEXT
    );
    CREATE INDEX runs_by_parent ON runs (parent, parent_step);
    CREATE TABLE steps (
        run TEXT NOT NULL REFERENCES runs (id), step INTEGER NOT NULL, move TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('begun', 'done')), outcome TEXT, at TEXT NOT NULL,
        PRIMARY KEY (run, step)
    );
    CREATE TABLE approvals (
        id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id), agent TEXT NOT NULL, chain TEXT NOT NULL,
        tool TEXT NOT NULL, arguments TEXT NOT NULL, tool_digest TEXT NOT NULL, policy_digest TEXT NOT NULL,
        action_digest TEXT NOT NULL, owner TEXT NOT NULL, requested_at TEXT NOT NULL, expires_at TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'consumed')),
        decided_by TEXT, decided_at TEXT, comment TEXT
    );
    CREATE UNIQUE INDEX approvals_by_action ON approvals (run, action_digest) WHERE state IN ('pending', 'approved');
    CREATE TABLE facts (
        root TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, seen_at TEXT NOT NULL, until TEXT NOT NULL,
        PRIMARY KEY (root, kind, subject)
    );
    CREATE TABLE escalations (
        id TEXT PRIMARY KEY, run TEXT NOT NULL, agent TEXT NOT NULL, target TEXT NOT NULL, event TEXT NOT NULL,
        reason TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE TABLE switch (name TEXT PRIMARY KEY, set_by TEXT NOT NULL, at TEXT NOT NULL);
    """,
    """
    ALTER TABLE runs ADD COLUMN watch TEXT;
    ALTER TABLE runs ADD COLUMN beat INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN result TEXT;
    """,
    """
    ALTER TABLE runs ADD COLUMN mission_by TEXT NOT NULL DEFAULT 'client';
    ALTER TABLE runs ADD COLUMN task TEXT;
    ALTER TABLE runs ADD COLUMN held_until TEXT;
    ALTER TABLE runs ADD COLUMN seen TEXT;
    ALTER TABLE approvals ADD COLUMN version TEXT NOT NULL DEFAULT '';
    ALTER TABLE approvals ADD COLUMN preview TEXT NOT NULL DEFAULT '';
    ALTER TABLE approvals ADD COLUMN because TEXT NOT NULL DEFAULT '';
    ALTER TABLE approvals ADD COLUMN why TEXT NOT NULL DEFAULT '';
    DROP TABLE facts;
    CREATE TABLE facts (
        root TEXT NOT NULL, kind TEXT NOT NULL, version TEXT NOT NULL, PRIMARY KEY (root, kind, version)
    );
    CREATE TABLE attempts (
        id TEXT PRIMARY KEY, run TEXT NOT NULL, agent TEXT NOT NULL, kind TEXT NOT NULL, tool TEXT NOT NULL,
        arguments TEXT NOT NULL, verdict TEXT NOT NULL, rule TEXT NOT NULL, version TEXT NOT NULL, at TEXT NOT NULL
    );
    CREATE INDEX attempts_by_run ON attempts (run, at);
    CREATE TABLE links (hash TEXT PRIMARY KEY, run TEXT NOT NULL, until TEXT NOT NULL, spent INTEGER NOT NULL);
    """,
    f"DROP TABLE links; {TABLE}",
    """
    ALTER TABLE attempts ADD COLUMN caller TEXT NOT NULL DEFAULT '';
    ALTER TABLE attempts ADD COLUMN approval TEXT NOT NULL DEFAULT '';
    ALTER TABLE attempts ADD COLUMN said TEXT NOT NULL DEFAULT '';
    """,
)
