#include "weir/experiment/store/results_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "weir/experiment/store/results_json.hpp"

namespace weir::experiment {

void write_numbers(SQLite::Database& db, std::int64_t run, const metrics::RunResult& result) {
  Insert scalars(db,
                 "INSERT INTO scalars (run, metric, label, value, half_width, quality, unit) "
                 "VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const metrics::Scalar& s : result.scalars) {
    scalars.row(run, s.name.metric, s.name.label, s.value, s.half_width,
                std::string(metrics::to_string(s.quality)), metric_kind(s.name.metric).unit);
  }
  Insert series(db, "INSERT INTO series VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const metrics::Series& s : result.series) {
    series.row(run, s.name.metric, s.name.label, metric_kind(s.name.metric).unit, s.start.count,
               s.bin.count, to_json(s.values));
  }
  Insert histograms(db, "INSERT INTO histograms VALUES (?, ?, ?, ?)");
  for (const metrics::NamedHistogram& h : result.histograms) {
    histograms.row(run, h.name.metric, h.name.label, to_json(h.histogram));
  }
}

namespace {

void write_set_aside(SQLite::Database& db, std::int64_t run, const metrics::RunResult& result) {
  std::int64_t number = 0;
  Insert trees(db, "INSERT INTO set_aside_trees VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const metrics::SetAsideTree& t : result.set_aside_trees) {
    trees.row(run, number++, t.root, t.from.count, t.until.count,
              static_cast<std::int64_t>(t.allocations), std::int64_t{t.queues_max},
              std::int64_t{t.hops_max}, t.bytes_max, sides_to_json(t), to_json(t.leaves));
  }
  number = 0;
  Insert events(db, "INSERT INTO set_aside_events VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const metrics::SetAsideRecord& e : result.set_aside_events) {
    events.row(run, number++, e.at.count, e.side, e.root, e.hops, e.kind, e.lifetime.count);
  }
}

}  // namespace

void write_network(SQLite::Database& db, std::int64_t run, const metrics::RunResult& result) {
  Insert links(db, "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const metrics::LinkSummary& l : result.links) {
    links.row(run, l.name, l.group, l.utilization, l.wait, l.bytes, l.packets, l.queued_max);
  }
  Insert trees(db, "INSERT INTO trees VALUES (?, ?, ?, ?, ?, ?)");
  for (const metrics::TreeRecord& t : result.trees) {
    trees.row(run, t.at.count, t.root, t.depth, branches_to_json(t), to_json(t.leaves));
  }
  write_set_aside(db, run, result);
  const metrics::LinkFrames& f = result.frames;
  if (f.times.empty()) return;
  Insert frames(db, "INSERT INTO frames VALUES (?, ?, ?, ?, ?)");
  frames.row(run, to_json(f.times), static_cast<std::int64_t>(f.links), Blob{f.utilization},
             Blob{f.wait});
  if (f.set_aside.empty()) return;
  Insert set_aside(db, "INSERT INTO set_aside_frames VALUES (?, ?)");
  set_aside.row(run, Blob{f.set_aside});
}

RunRecord record_in(SQLite::Statement& row) {
  const auto text = [&](int column) { return row.getColumn(column).getString(); };
  RunRecord run;
  run.id = row.getColumn(0).getInt64();
  run.experiment = text(1);
  run.case_name = text(2);
  run.place = row.getColumn(3).getInt64();
  const std::vector<std::string> parameters = texts_from_json(text(4));
  for (std::size_t i = 0; i + 1 < parameters.size(); i += 2) {
    run.parameters.emplace_back(parameters[i], parameters[i + 1]);
  }
  run.configuration = text(5);
  run.configuration_hash = text(6);
  run.seed = static_cast<std::uint64_t>(row.getColumn(7).getInt64());
  run.version = text(8);
  run.status = text(9);
  run.error = text(10);
  run.result.fingerprint = std::stoull(text(11), nullptr, 16);
  run.result.notes = texts_from_json(text(12));
  run.host = text(13);
  run.started = text(14);
  run.finished = text(15);
  run.result.wall_seconds = row.getColumn(16).getDouble();
  run.result.cpu_seconds = row.getColumn(17).getDouble();
  return run;
}

namespace {

/// Rows of `table` that belong to a run, in the order of its key.
template <class Row>
void each_row(SQLite::Database& db, const char* columns, const char* table, std::int64_t run,
              Row row) {
  SQLite::Statement query(db, fmt::format("SELECT {} FROM {} WHERE run = ?", columns, table));
  query.bind(1, run);
  while (query.executeStep()) row(query);
}

double number(const SQLite::Column& column) {
  return column.isNull() ? std::nan("") : column.getDouble();
}

MetricName name_in(SQLite::Statement& row) {
  return {row.getColumn(0).getString(), row.getColumn(1).getString()};
}

void read_set_aside_trees(SQLite::Database& db, std::int64_t run, metrics::RunResult& out) {
  each_row(db, "root, since, until, allocations, queues_max, hops_max, bytes_max, sides, leaves",
           "set_aside_trees", run, [&](SQLite::Statement& row) {
             metrics::SetAsideTree tree;
             tree.root = row.getColumn(0).getString();
             tree.from = Time(row.getColumn(1).getInt64());
             tree.until = Time(row.getColumn(2).getInt64());
             tree.allocations = static_cast<std::uint64_t>(row.getColumn(3).getInt64());
             tree.queues_max = row.getColumn(4).getUInt();
             tree.hops_max = row.getColumn(5).getUInt();
             tree.bytes_max = row.getColumn(6).getInt64();
             sides_from_json(row.getColumn(7).getString(), tree);
             tree.leaves = texts_from_json(row.getColumn(8).getString());
             out.set_aside_trees.push_back(std::move(tree));
           });
}

}  // namespace

void read_numbers(SQLite::Database& db, std::int64_t run, const ResultParts& parts,
                  metrics::RunResult& out) {
  each_row(
      db, "metric, label, value, half_width, quality", "scalars", run, [&](SQLite::Statement& row) {
        out.scalars.push_back({name_in(row), number(row.getColumn(2)), number(row.getColumn(3)),
                               metrics::parse_quality(row.getColumn(4).getString())});
      });
  if (parts.series) {
    each_row(db, "metric, label, start, bin, data", "series", run, [&](SQLite::Statement& row) {
      MetricName name = name_in(row);
      if (!parts.has_series(name)) return;
      out.series.push_back({std::move(name), Time(row.getColumn(2).getInt64()),
                            Time(row.getColumn(3).getInt64()),
                            numbers_from_json(row.getColumn(4).getString())});
    });
  }
  if (parts.histograms) {
    each_row(db, "metric, label, data", "histograms", run, [&](SQLite::Statement& row) {
      out.histograms.push_back({name_in(row), histogram_from_json(row.getColumn(2).getString())});
    });
  }
}

void read_network(SQLite::Database& db, std::int64_t run, const ResultParts& parts,
                  metrics::RunResult& out) {
  if (parts.links) {
    each_row(db, "port, link_group, utilization, wait, bytes, packets, queued_max", "links", run,
             [&](SQLite::Statement& row) {
               out.links.push_back({row.getColumn(0).getString(), row.getColumn(1).getString(),
                                    row.getColumn(2).getDouble(), row.getColumn(3).getDouble(),
                                    row.getColumn(4).getInt64(), row.getColumn(5).getInt64(),
                                    row.getColumn(6).getInt64()});
             });
  }
  if (parts.frames) {
    each_row(db, "times, links, utilization, wait", "frames", run, [&](SQLite::Statement& row) {
      out.frames = {times_from_json(row.getColumn(0).getString()),
                    static_cast<std::size_t>(row.getColumn(1).getInt64()),
                    row.getColumn(2).getString(),
                    row.getColumn(3).getString(),
                    {}};
    });
    each_row(db, "queues", "set_aside_frames", run,
             [&](SQLite::Statement& row) { out.frames.set_aside = row.getColumn(0).getString(); });
  }
  if (parts.trees) {
    each_row(db, "at, root, depth, branches, leaves", "trees", run, [&](SQLite::Statement& row) {
      metrics::TreeRecord tree;
      tree.at = Time(row.getColumn(0).getInt64());
      tree.root = row.getColumn(1).getString();
      tree.depth = row.getColumn(2).getInt();
      branches_from_json(row.getColumn(3).getString(), tree);
      tree.leaves = texts_from_json(row.getColumn(4).getString());
      out.trees.push_back(std::move(tree));
    });
    read_set_aside_trees(db, run, out);
  }
  if (parts.events) {
    each_row(db, "at, side, root, hops, kind, lifetime", "set_aside_events", run,
             [&](SQLite::Statement& row) {
               out.set_aside_events.push_back(
                   {Time(row.getColumn(0).getInt64()), row.getColumn(1).getString(),
                    row.getColumn(2).getString(), row.getColumn(3).getInt(),
                    row.getColumn(4).getString(), Time(row.getColumn(5).getInt64())});
             });
  }
}

}  // namespace weir::experiment
