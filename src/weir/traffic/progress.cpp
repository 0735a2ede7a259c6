#include "weir/traffic/progress.hpp"

#include <algorithm>
#include <utility>

#include "weir/base/state_archive.hpp"

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
  begun_at_.push_back(received_);
  find_next_due();
  return due;
}

void Progress::find_next_due() {
  next_due_ = std::numeric_limits<std::uint64_t>::max();
  for (const HostSource& source : waiting_) {
    next_due_ = std::min(next_due_, source.start_after_packets);
  }
}

void Progress::checkpoint(StateArchive& state) { state(received_, begun_at_); }

std::vector<HostSource> Progress::take_begun(std::size_t time) {
  const std::uint64_t at = begun_at_[time];
  std::vector<HostSource> begun =
      extract(waiting_, [at](const HostSource& s) { return s.start_after_packets <= at; });
  find_next_due();
  return begun;
}

}  // namespace weir::traffic
