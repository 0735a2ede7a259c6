#include "parallel/same_numbers.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "support/ranks_of_threads.hpp"
#include "weir/base/random.hpp"
#include "weir/base/state_archive.hpp"
#include "weir/experiment/config/run_kind.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/experiment/run/simulation.hpp"
#include "weir/experiment/store/results_store.hpp"

namespace weir::experiment::parallel {
namespace {

fabric::Territories scattered(const topology::Graph& graph, std::size_t parts, std::uint64_t seed) {
  RandomStream random(seed, 0, StreamPurpose::test);
  std::vector<std::uint16_t> of_node(graph.node_count());
  for (std::uint16_t& part : of_node) part = static_cast<std::uint16_t>(random.below(parts));
  return fabric::territories_of(graph, std::move(of_node), parts);
}

SimulationAdditions additions(const Division& division) {
  SimulationAdditions out;
  if (division.scatter) {
    out.divide = [seed = *division.scatter](const topology::Graph& graph, std::size_t parts) {
      return scattered(graph, parts, seed);
    };
  }
  return out;
}

std::string text_of(const SQLite::Column& column) {
  if (column.isNull()) return "NULL";
  if (column.isFloat()) {
    const double value = column.getDouble();
    return fmt::format("{} ({:016x})", value, std::bit_cast<std::uint64_t>(value));
  }
  if (column.isBlob()) {
    const auto* bytes = static_cast<const unsigned char*>(column.getBlob());
    std::string hex;
    for (int i = 0; i < column.getBytes(); ++i)
      fmt::format_to(std::back_inserter(hex), "{:02x}", bytes[i]);
    return hex;
  }
  return column.getString();
}

/// Whose run it is, and when, where and how fast it ran.
bool is_of_the_machine(const std::string& table, const std::string& column) {
  if (column == (table == "runs" ? "id" : "run")) return true;
  constexpr const char* kOfTheMachine[] = {"host", "started", "finished", "wall_seconds",
                                           "cpu_seconds"};
  return table == "runs" && std::any_of(std::begin(kOfTheMachine), std::end(kOfTheMachine),
                                        [&](const char* one) { return column == one; });
}

void add_rows(SQLite::Database& database, const std::string& table,
              std::vector<std::string>& rows) {
  SQLite::Statement row(database, "SELECT * FROM " + table);
  while (row.executeStep()) {
    std::string line = table;
    for (int i = 0; i < row.getColumnCount(); ++i) {
      if (!is_of_the_machine(table, row.getColumnName(i)))
        line += " | " + text_of(row.getColumn(i));
    }
    rows.push_back(std::move(line));
  }
}

/// All that is written of a run, whatever tables there are.
std::vector<std::string> stored(const metrics::RunResult& result) {
  const std::string path =
      (std::filesystem::temp_directory_path() / "same_numbers.sqlite").string();
  static ResultsStore store(path, ResultsStore::Mode::create);
  RunRecord record;
  record.experiment = "compared";
  record.result = result;
  store.write(record);
  SQLite::Database database(path);
  SQLite::Statement tables(database,
                           "SELECT name FROM sqlite_master WHERE type = 'table' AND "
                           "name NOT LIKE 'sqlite_%' AND name <> 'campaigns'");
  std::vector<std::string> rows;
  while (tables.executeStep()) add_rows(database, tables.getColumn(0).getString(), rows);
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Networks take longer to make than many a short run takes.
std::shared_ptr<const Network> network_of(const Configuration& configuration) {
  static NetworkCache networks;
  return networks.get(configuration);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Configuration divided(Configuration configuration, const Division& division) {
  configuration.threads = division.parts;
  return configuration;
}

}  // namespace

std::string to_string(const Division& division) {
  if (division.ranks > 0) {
    return fmt::format(
        "{} ranks with {} threads each{}", division.ranks, division.parts,
        division.scatter ? fmt::format(", scattered by seed {}", *division.scatter) : "");
  }
  if (!division.scatter) return fmt::format("{} threads", division.parts);
  return fmt::format("nodes scattered over {} parts by seed {}", division.parts, *division.scatter);
}

namespace {

/// A piece of a run: from a checkpoint, or the beginning, to another one, or the end.
struct Piece {
  std::string from;  ///< empty: the beginning
  Time stop_at = Time::max();
  std::string to;            ///< where it has stopped
  bool has_stopped = false;  ///< there; else the run is over
};

metrics::RunResult result_of(const Configuration& configuration,
                             const std::shared_ptr<const Network>& network,
                             const Division& division, Piece& piece, std::string& failure) {
  if (configuration.kind->is_search) {
    const auto go_on = [](const KindProgress&) { return true; };
    return *configuration.kind->run(configuration, network, go_on, RunKind::Clock::now());
  }
  SimulationAdditions added = additions(division);
  added.goes_on = !piece.from.empty();
  Simulation simulation(configuration, network, added);
  try {
    if (added.goes_on) {
      std::istringstream in(piece.from, std::ios::binary);
      StateArchive archive(in);
      simulation.checkpoint(archive);
    }
    while (simulation.advance(std::min(
        simulation.step(), std::max(Time(1), piece.stop_at - simulation.fabric().now())))) {
      if (simulation.fabric().now() < piece.stop_at) continue;
      std::ostringstream out(std::ios::binary);
      StateArchive archive(out);
      simulation.checkpoint(archive);
      piece.to = std::move(out).str();
      piece.has_stopped = true;
      return {};
    }
    return simulation.finish(1);
  } catch (const std::runtime_error& error) {  // also of a mechanism that meets what it cannot do
    failure = first_line(error.what());
  }
  return {};
}

Numbers numbers_of(const metrics::RunResult& result) {
  Numbers out;
  out.fingerprint = result.fingerprint;
  out.rows = stored(result);
  const double* packets = result.scalar("packets_delivered");
  out.packets = packets == nullptr ? 0 : static_cast<std::uint64_t>(*packets);
  const double* simulated = result.scalar("simulated_time");
  if (simulated != nullptr) out.end = nanoseconds(static_cast<std::int64_t>(*simulated));
  return out;
}

/// What rank 0 finds, when all others have found the same.
Numbers run_in_ranks(const Configuration& configuration,
                     const std::shared_ptr<const Network>& network, const Division& division,
                     Piece& piece) {
  std::vector<metrics::RunResult> results(division.ranks);
  std::vector<std::string> failures(division.ranks);
  std::vector<Piece> pieces(division.ranks, piece);
  RanksOfThreads(division.ranks).run([&](Ranks& ranks) {
    Configuration own = configuration;
    own.ranks = &ranks;
    const std::size_t rank = ranks.rank();
    results[rank] = result_of(own, network, division, pieces[rank], failures[rank]);
  });
  piece = pieces.front();
  if (piece.has_stopped) return {};
  const auto numbers = [&](std::size_t rank) {
    Numbers out;
    if (failures[rank].empty()) out = numbers_of(results[rank]);
    out.failure = failures[rank];
    return out;
  };
  Numbers first = numbers(0);
  for (std::size_t rank = 1; rank < results.size(); ++rank) {
    const std::string differs = difference(first, numbers(rank));
    if (!differs.empty())
      first.failure = fmt::format("rank {} knows something else than rank 0: {}", rank, differs);
  }
  return first;
}

}  // namespace

namespace {

Numbers run_piece(const Configuration& configuration, const Division& division, Piece& piece) {
  const Configuration own = divided(configuration, division);
  const auto network = network_of(own);
  if (division.ranks > 0) return run_in_ranks(own, network, division, piece);
  std::string failure;
  const metrics::RunResult result = result_of(own, network, division, piece, failure);
  if (piece.has_stopped) return {};
  if (failure.empty()) return numbers_of(result);
  Numbers out;
  out.failure = failure;
  return out;
}

}  // namespace

Numbers run_in_stages(const Configuration& configuration, const std::vector<Division>& stages,
                      Time end) {
  std::string state;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    Piece piece;
    piece.from = std::move(state);
    const auto share = static_cast<std::int64_t>(s + 1);
    if (s + 1 < stages.size())
      piece.stop_at = end * share / static_cast<std::int64_t>(stages.size());
    Numbers numbers = run_piece(configuration, stages[s], piece);
    numbers.stops = s;
    if (!piece.has_stopped) return numbers;
    state = std::move(piece.to);
  }
  return {};
}

std::string no_checkpoints(const Configuration& configuration) {
  return Simulation(divided(configuration, {1}), network_of(configuration)).no_checkpoints();
}

Numbers run(const Configuration& configuration, const Division& division) {
  Piece whole;
  return run_piece(configuration, division, whole);
}

std::size_t hosts_of(const Configuration& configuration) {
  return network_of(configuration)->graph->host_count();
}

std::optional<InputError> refusal(const Configuration& configuration, const Division& division) {
  const auto network = network_of(configuration);
  (void)Simulation(divided(configuration, {1}), network);
  try {
    if (division.ranks == 0) {
      (void)Simulation(divided(configuration, division), network);
      return std::nullopt;
    }
    RanksOfThreads(division.ranks).run([&](Ranks& ranks) {
      Configuration own = divided(configuration, division);
      own.ranks = &ranks;
      (void)Simulation(own, network, additions(division));
    });
  } catch (const InputError& error) {
    return error;
  }
  return std::nullopt;
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : std::strtoull(value, nullptr, 10);
}

std::string difference(const Numbers& whole, const Numbers& divided) {
  // Which of two mistakes of one window is told first is nobody's business.
  if (whole.failure.empty() != divided.failure.empty()) {
    const auto said = [](const Numbers& one) {
      return one.failure.empty() ? "nothing" : one.failure;
    };
    return fmt::format("in one part it fails with: {}\ndivided with: {}\n", said(whole),
                       said(divided));
  }
  std::string out;
  if (whole.fingerprint != divided.fingerprint) {
    out += fmt::format("fingerprint {:016x} divided: {:016x}\n", whole.fingerprint,
                       divided.fingerprint);
  }
  constexpr std::size_t kMost = 12;
  const auto tell = [&](const Numbers& one, const Numbers& other, const char* whose) {
    std::vector<std::string> only;
    std::set_difference(one.rows.begin(), one.rows.end(), other.rows.begin(), other.rows.end(),
                        std::back_inserter(only));
    for (std::size_t i = 0; i < std::min(kMost, only.size()); ++i)
      out += fmt::format("{}: {:.300}\n", whose, only[i]);
    if (only.size() > kMost) out += fmt::format("{}: {} more\n", whose, only.size() - kMost);
  };
  tell(whole, divided, "one part");
  tell(divided, whole, " divided");
  return out;
}

}  // namespace weir::experiment::parallel
