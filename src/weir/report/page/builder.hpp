#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weir/report/page/network.hpp"
#include "weir/report/page/page.hpp"

namespace weir::report {

/// Puts the data of a page together within its size. First come what identifies the runs and their
/// scalars, then charts, then congestion views: each part gets what the one before has left, and
/// all runs get the same share of it.
class PageBuilder {
 public:
  /// See page_data(). Throws InputError for runs that do not exist, and where there are none.
  PageBuilder(const PageRuns& runs, const PageOptions& options, std::size_t most_bytes);

  /// The whole `Report` as JSON. Call it once.
  std::string data();

 private:
  struct Entry {
    experiment::RunRecord run;  ///< with its scalars
    nlohmann::json core;
    std::string lines;       ///< members of the JSON object, without braces
    std::string congestion;  ///< likewise
  };

  /// A text and the bytes that it adds to the page.
  struct View {
    std::string text;
    std::size_t cost = 0;
  };

  void make_room_for_figures(nlohmann::json& head);
  void add_cores();
  void add_lines();
  void add_congestion();
  /// False when it does not fit. A run without links, or whose network is not known, has no view.
  bool add_congestion(Entry& entry, std::size_t share);
  /// The network of a run and who is hot in it; nothing, with a note, when it cannot be made again.
  std::shared_ptr<const PageNetwork> network_of(Entry& entry, nlohmann::json& hosts);
  /// Counters of the real fabric, where there are any. Throws InputError for files that are not of
  /// it.
  const topology::SubnetCounters* counters_of(const PageNetwork& network);
  /// With as many frames as fit into `room`; empty when too few do.
  static View congestion_within(const experiment::RunRecord& run, const PageNetwork& network,
                                std::size_t room);
  [[nodiscard]] std::string assemble(const nlohmann::json& head);
  void tell_what_is_missing();

  [[nodiscard]] std::size_t room() const { return most_ > used_ ? most_ - used_ : 0; }

  const PageRuns& source_;
  const PageOptions& options_;
  std::size_t most_;
  std::size_t used_ = 0;  ///< of the page, so far
  std::vector<Entry> entries_;
  std::set<std::string> metrics_;
  PageNetworks networks_;
  std::vector<std::shared_ptr<const PageNetwork>> shown_;
  std::vector<std::string> topologies_;
  std::map<const PageNetwork*, topology::SubnetCounters> counters_;
  std::vector<std::string> notes_;
  std::size_t runs_left_out_ = 0;
  std::size_t lines_left_out_ = 0;
  std::size_t congestion_left_out_ = 0;
  std::size_t congestion_shown_ = 0;
};

/// "title", "name", "description", "provenance", "columns", "figures", "drawn" of the `Report`,
/// from the last of the runs whose configuration can be read.
nlohmann::json page_head(const std::vector<experiment::RunRecord>& runs, const PageOptions& options,
                         const RunReader& read);

/// The configuration of a run; nothing when this version cannot read it.
std::optional<experiment::Configuration> configuration_of(const experiment::RunRecord& run);

/// The runs that the user named by case, label or id; all when none is named. Throws InputError.
std::vector<experiment::RunRecord> selected(const std::vector<experiment::RunRecord>& runs,
                                            const std::vector<std::string>& names);

}  // namespace weir::report
