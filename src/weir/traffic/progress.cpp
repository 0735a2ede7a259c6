#include "weir/traffic/progress.hpp"

#include <algorithm>
#include <utility>

namespace weir::traffic {
namespace {

/// Moves the sources that `chosen` likes to the result; both keep their order.
template <class Chosen>
std::vector<HostSource> extract(std::vector<HostSource>& sources, Chosen chosen) {
  std::vector<HostSource> extracted;
  std::vector<HostSource> kept;
  for (HostSource& source : sources) {
    (chosen(source) ? extracted : kept).push_back(std::move(source));
  }
  sources = std::move(kept);
  return extracted;
}

}  // namespace

Progress::Progress(std::vector<HostSource>& sources)
    : waiting_(extract(sources, [](const HostSource& s) { return s.start_after_packets > 0; })) {
  find_next_due();
}

std::vector<HostSource> Progress::take_due() {
  std::vector<HostSource> due =
      extract(waiting_, [this](const HostSource& s) { return s.start_after_packets <= received_; });
  find_next_due();
  return due;
}

void Progress::find_next_due() {
  next_due_ = std::numeric_limits<std::uint64_t>::max();
  for (const HostSource& source : waiting_) {
    next_due_ = std::min(next_due_, source.start_after_packets);
  }
}

}  // namespace weir::traffic
