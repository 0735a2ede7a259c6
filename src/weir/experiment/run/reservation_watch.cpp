#include "weir/experiment/run/reservation_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/base/state_archive.hpp"

namespace weir::experiment {
namespace {

/// Headers, and the gap between the last two packets, are not meant.
constexpr double kSlack = 1.01;

}  // namespace

ReservationWatch::ReservationWatch(const Configuration& configuration) {
  if (configuration.admission.make == nullptr) return;
  for (const traffic::TrafficEntry& entry : configuration.traffic) {
    classes_.push_back({entry.name, entry.reserve});
  }
}

void ReservationWatch::count(Class& its, const fabric::Packet& packet) {
  if (packet.source >= its.sources.size()) its.sources.resize(packet.source + std::size_t{1});
  Source& source = its.sources[packet.source];
  if (source.first < 0) source.first = packet.injected;
  source.bytes += source.last_one;
  source.last_one = packet.size;
  source.last = packet.injected;
}

void ReservationWatch::divide(std::size_t hosts) {
  for (Class& its : classes_) its.sources.resize(hosts);
}

void ReservationWatch::share(Ranks& ranks) {
  for (Class& its : classes_) {
    for (const std::vector<Source>& some : gathered(&ranks, its.sources)) {
      // What others have been told of a source before may be old.
      for (std::size_t h = 0; h < its.sources.size(); ++h) {
        if (its.sources[h].first < 0 || its.sources[h].last < some[h].last)
          its.sources[h] = some[h];
      }
    }
  }
}

void ReservationWatch::checkpoint(StateArchive& state) {
  for (Class& its : classes_) {
    const std::size_t hosts = its.sources.size();
    state(its.sources);
    its.sources.resize(std::max(hosts, its.sources.size()));
  }
}

double ReservationWatch::use(const Class& its, const Source& source) {
  if (source.first < 0 || source.last <= source.first) return 0;
  const double seconds = static_cast<double>(source.last - source.first) * 1e-12;
  return static_cast<double>(source.bytes) / seconds / static_cast<double>(its.reserve);
}

void ReservationWatch::report(metrics::RunResult& out) const {
  for (const Class& its : classes_) {
    if (its.reserve == 0) continue;
    std::size_t senders = 0;
    std::size_t above = 0;
    std::size_t worst = 0;
    double largest = 0;
    for (std::size_t h = 0; h < its.sources.size(); ++h) {
      if (its.sources[h].first >= 0) ++senders;
      const double share = use(its, its.sources[h]);
      if (share > kSlack) ++above;
      if (share > largest) worst = h;
      largest = std::max(largest, share);
    }
    out.add_scalar("reservations_exceeded", its.name, static_cast<double>(above));
    if (senders > 0) out.add_scalar("reservation_use_max", its.name, largest);
    if (above == 0) continue;
    out.notes.push_back(fmt::format(
        "{} of {} sources of '{}' sent more than they had reserved, host {} {:.3g} times as much: "
        "admission does not police; injection.model = \"leaky-bucket\" holds hosts to a rate",
        above, senders, its.name, worst, largest));
  }
}

}  // namespace weir::experiment
