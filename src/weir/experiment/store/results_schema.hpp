#pragma once

namespace weir::experiment {

/// "weir" as SQLite's application id.
inline constexpr int kApplicationId = 0x77656972;

/// Tables of a results database. Times in ps unless the name says otherwise. Only `runs` holds what
/// differs between two runs of the same thing (where, when, how long).
inline constexpr const char* kResultsSchema = R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  experiment TEXT NOT NULL,
  case_name TEXT NOT NULL,
  place INTEGER NOT NULL,            -- in the plan of the experiment, from 0
  parameters TEXT NOT NULL,          -- JSON: [key, value, key, value, ..]
  configuration TEXT NOT NULL,       -- TOML
  configuration_hash TEXT NOT NULL,
  seed INTEGER NOT NULL,
  version TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
  error TEXT NOT NULL,
  fingerprint TEXT NOT NULL,         -- hexadecimal
  notes TEXT NOT NULL,               -- JSON list
  host TEXT NOT NULL,
  started TEXT NOT NULL,             -- UTC
  finished TEXT NOT NULL,
  wall_seconds REAL,
  cpu_seconds REAL,                  -- NULL or 0: not known
  UNIQUE (experiment, case_name, configuration_hash, seed, version)
);
CREATE TABLE scalars (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  value REAL,                        -- NULL: nothing to measure
  half_width REAL,                   -- of the 95 % interval; NULL: none
  quality TEXT NOT NULL DEFAULT 'plain'
    CHECK (quality IN ('plain', 'estimated', 'not stationary')),
  unit TEXT NOT NULL,
  PRIMARY KEY (run, metric, label)
) WITHOUT ROWID;
CREATE TABLE series (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  unit TEXT NOT NULL,
  start INTEGER NOT NULL,
  bin INTEGER NOT NULL,
  data TEXT NOT NULL,                -- JSON list, null: nothing in the bin
  PRIMARY KEY (run, metric, label)
) WITHOUT ROWID;
CREATE TABLE histograms (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  data TEXT NOT NULL,                -- JSON: sum, min, max, buckets [lowest value, count]; ps
  PRIMARY KEY (run, metric, label)
) WITHOUT ROWID;
CREATE TABLE links (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  port TEXT NOT NULL,
  link_group TEXT NOT NULL,
  utilization REAL NOT NULL,
  wait REAL NOT NULL,
  bytes INTEGER NOT NULL,
  packets INTEGER NOT NULL,
  queued_max INTEGER NOT NULL,
  PRIMARY KEY (run, port)
) WITHOUT ROWID;
CREATE TABLE trees (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  root TEXT NOT NULL,
  depth INTEGER NOT NULL,
  branches TEXT NOT NULL,            -- JSON: [[port, depth], ..]
  leaves TEXT NOT NULL,              -- JSON list
  PRIMARY KEY (run, at, root)
) WITHOUT ROWID;
)sql";

/// States of the links over time, see metrics::LinkFrames.
inline constexpr const char* kFramesSchema = R"sql(
CREATE TABLE IF NOT EXISTS frames (
  run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  times TEXT NOT NULL,               -- JSON list
  links INTEGER NOT NULL,            -- those of the table `links`, ascending by port
  utilization BLOB NOT NULL,         -- zlib: a byte a time and link, time by time; 255 is 1
  wait BLOB NOT NULL
);
)sql";

/// Set-aside queues of runs with isolation, see metrics::SetAsideTree and metrics::SetAsideRecord;
/// and the part of the frames that only such runs have.
inline constexpr const char* kSetAsideSchema = R"sql(
CREATE TABLE IF NOT EXISTS set_aside_trees (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,           -- from 0, ascending in time
  root TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  allocations INTEGER NOT NULL,
  queues_max INTEGER NOT NULL,
  hops_max INTEGER NOT NULL,
  bytes_max INTEGER NOT NULL,
  sides TEXT NOT NULL,               -- JSON: [[side, hops], ..] at the largest sample
  leaves TEXT NOT NULL,              -- JSON list
  PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS set_aside_events (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,           -- from 0, as they happened
  at INTEGER NOT NULL,
  side TEXT NOT NULL,
  root TEXT NOT NULL,
  hops INTEGER NOT NULL,
  kind TEXT NOT NULL,
  lifetime INTEGER NOT NULL,         -- of a released queue; else 0
  PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS set_aside_frames (
  run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
  queues BLOB NOT NULL               -- as those of `frames`; a byte is a number of queues
);
)sql";

/// A column that version 2 has had from some day on.
inline constexpr const char* kCpuSeconds = "ALTER TABLE runs ADD COLUMN cpu_seconds REAL";

/// From the tables of version 1: numbers get their confidence, runs their place (the order of
/// writing), and what a run took goes from its numbers to its row.
inline constexpr const char* kFromVersion1 = R"sql(
ALTER TABLE scalars ADD COLUMN half_width REAL;
ALTER TABLE scalars ADD COLUMN quality TEXT NOT NULL DEFAULT 'plain'
  CHECK (quality IN ('plain', 'estimated', 'not stationary'));
ALTER TABLE runs ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN wall_seconds REAL;
UPDATE runs SET
  place = (SELECT count(*) FROM runs AS earlier
           WHERE earlier.experiment = runs.experiment AND earlier.id < runs.id),
  wall_seconds = (SELECT value FROM scalars WHERE run = runs.id AND metric = 'wall_time');
DELETE FROM scalars WHERE metric IN ('wall_time', 'hops_per_second');
)sql";

}  // namespace weir::experiment
