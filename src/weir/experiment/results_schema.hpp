#pragma once

namespace weir::experiment {

/// "weir" as SQLite's application id.
inline constexpr int kApplicationId = 0x77656972;

/// Tables of a results database. Times in ps unless the name says otherwise.
inline constexpr const char* kResultsSchema = R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  experiment TEXT NOT NULL,
  case_name TEXT NOT NULL,
  parameters TEXT NOT NULL,          -- JSON: [key, value, key, value, ..]
  configuration TEXT NOT NULL,       -- TOML
  configuration_hash TEXT NOT NULL,
  seed INTEGER NOT NULL,
  version TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('done', 'failed')),
  error TEXT NOT NULL,
  host TEXT NOT NULL,
  started TEXT NOT NULL,             -- UTC
  finished TEXT NOT NULL,
  fingerprint TEXT NOT NULL,         -- hexadecimal
  notes TEXT NOT NULL,               -- JSON list
  UNIQUE (experiment, case_name, configuration_hash, seed, version)
);
CREATE TABLE scalars (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  label TEXT NOT NULL,
  value REAL,                        -- NULL: nothing to measure
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

}  // namespace weir::experiment
