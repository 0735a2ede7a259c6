#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>

#include "weir/experiment/store/results_record.hpp"
#include "weir/experiment/store/results_store.hpp"

namespace weir::experiment {

/// Columns of a run without its numbers, in the order in which record_in() reads them.
inline constexpr const char* kRunColumns =
    "id, experiment, case_name, place, parameters, configuration, configuration_hash, seed, "
    "version, status, error, fingerprint, notes, host, started, finished, wall_seconds, "
    "cpu_seconds";
RunRecord record_in(SQLite::Statement& row);

/// The numbers of a run: scalars, series, histograms; and what belongs to its links.
void write_numbers(SQLite::Database& db, std::int64_t run, const metrics::RunResult& result);
void write_network(SQLite::Database& db, std::int64_t run, const metrics::RunResult& result);
void read_numbers(SQLite::Database& db, std::int64_t run, const ResultParts& parts,
                  metrics::RunResult& out);
void read_network(SQLite::Database& db, std::int64_t run, const ResultParts& parts,
                  metrics::RunResult& out);

/// Bytes that are no text.
struct Blob {
  const std::string& bytes;
};

/// A statement that is run once a row.
class Insert {
 public:
  Insert(SQLite::Database& db, const char* sql) : statement_(db, sql) {}

  template <class... Values>
  void row(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
    statement_.exec();
    statement_.reset();
  }

 private:
  void bind(int index, double value) {
    if (std::isnan(value)) {
      statement_.bind(index);
    } else {
      statement_.bind(index, value);
    }
  }
  void bind(int index, const Blob& blob) {
    statement_.bind(index, blob.bytes.data(), static_cast<int>(blob.bytes.size()));
  }
  template <class Value>
  void bind(int index, const Value& value) {
    statement_.bind(index, value);
  }

  SQLite::Statement statement_;
};

}  // namespace weir::experiment
