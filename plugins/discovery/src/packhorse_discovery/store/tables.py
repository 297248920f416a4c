"""Tables of the interviews."""

MIGRATIONS = (
    """
CREATE TABLE project (id TEXT PRIMARY KEY, title TEXT NOT NULL, started TEXT NOT NULL, version INTEGER NOT NULL);
CREATE TABLE conversation (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, id TEXT NOT NULL,
  started TEXT NOT NULL, PRIMARY KEY (project, id));
CREATE TABLE eads (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, id TEXT NOT NULL,
  document TEXT NOT NULL, by_whom TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (project, id));
CREATE TABLE pursuit (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  conversation TEXT NOT NULL, eads TEXT NOT NULL, topic TEXT NOT NULL, origin TEXT NOT NULL, document TEXT NOT NULL,
  state TEXT NOT NULL, budget REAL NOT NULL, used REAL NOT NULL, revision INTEGER NOT NULL, started TEXT NOT NULL,
  finished TEXT, notes TEXT NOT NULL, structure TEXT NOT NULL, PRIMARY KEY (project, number));
CREATE TABLE question (project TEXT NOT NULL, pursuit INTEGER NOT NULL, number INTEGER NOT NULL, id TEXT NOT NULL,
  spec TEXT NOT NULL, signature TEXT NOT NULL, asked TEXT NOT NULL, state TEXT NOT NULL,
  PRIMARY KEY (project, pursuit, number),
  FOREIGN KEY (project, pursuit) REFERENCES pursuit(project, number) ON DELETE CASCADE);
CREATE TABLE answer (project TEXT NOT NULL, pursuit INTEGER NOT NULL, number INTEGER NOT NULL, question TEXT NOT NULL,
  text TEXT NOT NULL, refinement TEXT NOT NULL, by_whom TEXT NOT NULL, responsive INTEGER NOT NULL, note TEXT NOT NULL,
  at TEXT NOT NULL, PRIMARY KEY (project, pursuit, number),
  FOREIGN KEY (project, pursuit) REFERENCES pursuit(project, number) ON DELETE CASCADE);
CREATE TABLE patch (project TEXT NOT NULL, pursuit INTEGER NOT NULL, number INTEGER NOT NULL, path TEXT NOT NULL,
  body TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (project, pursuit, number),
  FOREIGN KEY (project, pursuit) REFERENCES pursuit(project, number) ON DELETE CASCADE);
CREATE TABLE conflict (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, id TEXT NOT NULL,
  kind TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, resolution TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (project, id));
CREATE TABLE note (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  conversation TEXT NOT NULL, text TEXT NOT NULL, by_whom TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (project, number));
CREATE TABLE advice (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  conversation TEXT NOT NULL, eads TEXT NOT NULL, body TEXT NOT NULL, followed TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (project, number));
CREATE TABLE scr (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, version INTEGER NOT NULL,
  body TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (project, version));
CREATE TABLE model_run (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  scr_version INTEGER NOT NULL, target TEXT NOT NULL, program TEXT NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (project, number));
""",
    # The durable job that computed a run: one that runs again, after its machine died, finds what it kept.
    "ALTER TABLE model_run ADD COLUMN job TEXT NOT NULL DEFAULT ''",
    # Projects of before have no owner: the deployer's machine and administrators see them, and can share them.
    """
ALTER TABLE project ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE project ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE project SET name = id;
CREATE TABLE share (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, subject TEXT NOT NULL,
  PRIMARY KEY (project, subject));
""",
    # The paths that an answer's refinement was refused at, and whether the answer was taken back.
    """
ALTER TABLE answer ADD COLUMN refused TEXT NOT NULL DEFAULT '[]';
ALTER TABLE answer ADD COLUMN taken_back INTEGER NOT NULL DEFAULT 0;
""",
    # What was said beside the interview's questions, and the formulations that were solved, each with its answer.
    """
CREATE TABLE statement (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  text TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (project, number));
CREATE TABLE formulation (project TEXT NOT NULL REFERENCES project(id) ON DELETE CASCADE, number INTEGER NOT NULL,
  version INTEGER NOT NULL, document TEXT NOT NULL, body TEXT NOT NULL, job TEXT NOT NULL, at TEXT NOT NULL,
  PRIMARY KEY (project, number));
""",
    # The numbers of an answer that nothing used, so that the same words handed in once more go on from there.
    "ALTER TABLE answer ADD COLUMN not_used TEXT NOT NULL DEFAULT ''",
)
