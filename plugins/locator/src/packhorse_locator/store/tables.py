"""The tables, as migrations: never edit one that has shipped."""

REGISTRY = """
CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT INTO counter (name, value) VALUES ('changes', 0);

CREATE TABLE sources (
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('people', 'facilities')),
  as_of TEXT NOT NULL,
  loaded_at TEXT NOT NULL,
  accepted INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  remote INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (name, kind)
);

CREATE TABLE people (
  key TEXT PRIMARY KEY,
  source TEXT NOT NULL,
  record_id TEXT NOT NULL,
  first TEXT NOT NULL,
  middle TEXT NOT NULL,
  last TEXT NOT NULL,
  country TEXT,
  birth_year INTEGER,
  alien_number TEXT,
  booked TEXT,
  status TEXT NOT NULL,
  held INTEGER NOT NULL,
  facility_id TEXT,
  as_of TEXT NOT NULL,
  suppressed INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL
);
CREATE INDEX people_by_number ON people (alien_number);
CREATE INDEX people_by_facility ON people (facility_id, booked);
CREATE INDEX people_by_change ON people (changed);
CREATE INDEX people_by_source ON people (source);
CREATE INDEX people_by_record ON people (record_id);

CREATE TABLE removed (key TEXT PRIMARY KEY, changed INTEGER NOT NULL);
CREATE INDEX removed_by_change ON removed (changed);

CREATE TABLE stays (
  key TEXT NOT NULL REFERENCES people (key) ON DELETE CASCADE,
  facility_id TEXT NOT NULL,
  since TEXT NOT NULL,
  reason TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (key, since, facility_id)
);

CREATE TABLE facilities (
  key TEXT PRIMARY KEY,
  official_id TEXT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  street TEXT,
  city TEXT,
  city_folded TEXT,
  state TEXT,
  zip_code TEXT,
  operator TEXT,
  field_office TEXT,
  phone TEXT,
  capacity REAL,
  capacity_of TEXT,
  capacity_as_of TEXT,
  population REAL,
  population_of TEXT,
  population_as_of TEXT,
  status TEXT,
  as_of TEXT NOT NULL,
  source TEXT NOT NULL
);
CREATE INDEX facilities_by_place ON facilities (state, city_folded);
CREATE INDEX facilities_by_zip ON facilities (zip_code);

CREATE TABLE facility_names (
  key TEXT NOT NULL REFERENCES facilities (key) ON DELETE CASCADE,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  PRIMARY KEY (key, folded)
);
CREATE INDEX facility_names_by_folded ON facility_names (folded);

CREATE TABLE watches (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  person TEXT NOT NULL,
  since TEXT NOT NULL,
  facility_id TEXT,
  status TEXT NOT NULL,
  UNIQUE (owner, person)
);

CREATE TABLE name_words (word TEXT PRIMARY KEY, given INTEGER NOT NULL, family INTEGER NOT NULL);
"""

UNDATED = """
UPDATE counter SET value = value + 1 WHERE name = 'changes' AND EXISTS (
  SELECT 1 FROM people WHERE birth_year IS NULL AND source IN (SELECT name FROM sources WHERE remote = 1));
INSERT INTO removed (key, changed)
  SELECT key, (SELECT value FROM counter WHERE name = 'changes') FROM people
  WHERE birth_year IS NULL AND source IN (SELECT name FROM sources WHERE remote = 1 AND kind = 'people')
  ON CONFLICT (key) DO UPDATE SET changed = excluded.changed;
DELETE FROM people
  WHERE birth_year IS NULL AND source IN (SELECT name FROM sources WHERE remote = 1 AND kind = 'people');
"""
"""Nobody without a year of birth is kept from a remote source."""

NO_NAME_WORDS = "DROP TABLE name_words;"
"""Sentences are read with the tables that come with the pack."""

MIGRATIONS = (REGISTRY, UNDATED, NO_NAME_WORDS)
