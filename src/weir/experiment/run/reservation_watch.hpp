#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/base/ranks.hpp"
#include "weir/experiment/config/configuration.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir {
class StateArchive;
}

namespace weir::experiment {

/// Which sources of traffic send more than they have reserved: admission control does not police.
/// What counts is the mean rate of a source from the beginning of its first packet to that of its
/// last, in bytes on the wire, as reservations are shares of links.
class ReservationWatch {
 public:
  /// Watches nobody where no admission model is asked.
  explicit ReservationWatch(const Configuration& configuration);

  [[nodiscard]] bool is_needed() const { return !classes_.empty(); }
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) {
    if (message.traffic_class < classes_.size() && classes_[message.traffic_class].reserve > 0) {
      count(classes_[message.traffic_class], packet);
    }
  }
  /// Before anything happens: threads tell of the sources in their parts.
  void divide(std::size_t hosts);
  /// Puts together what processes know of their sources.
  void share(Ranks& ranks);
  /// Of several processes, which share first, all have the same.
  void checkpoint(StateArchive& state);
  /// Adds the number of such sources of each class, how far the worst of them goes, and a note.
  void report(metrics::RunResult& out) const;

 private:
  struct Source {
    std::int64_t first = -1;    ///< beginning of its first packet, in ps; -1: none
    std::int64_t last = 0;      ///< of its last
    std::int64_t bytes = 0;     ///< of all packets before the last
    std::int64_t last_one = 0;  ///< bytes of the last
  };
  struct Class {
    std::string name;
    std::int64_t reserve = 0;       ///< bytes per second of each source; 0: they do not ask
    std::vector<Source> sources{};  ///< by host
  };

  static void count(Class& its, const fabric::Packet& packet);
  /// Over its reservation; 0 with fewer than two packets.
  static double use(const Class& its, const Source& source);

  std::vector<Class> classes_;
};

}  // namespace weir::experiment
