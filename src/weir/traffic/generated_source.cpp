#include "weir/traffic/generated_source.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "weir/base/state_archive.hpp"

namespace weir::traffic {

GeneratedSource::GeneratedSource(Parts parts, Draw draw, std::uint64_t limit, std::uint64_t seed,
                                 std::uint32_t entity)
    : parts_(std::move(parts)),
      draw_(draw),
      limit_(limit),
      arrival_random_(seed, entity, StreamPurpose::arrivals),
      destination_random_(seed, entity, StreamPurpose::destinations),
      size_random_(seed, entity, StreamPurpose::sizes),
      closed_loop_(parts_.arrivals->closed_loop()) {}

std::optional<fabric::MessageRequest> GeneratedSource::next(Time now) {
  std::optional<fabric::MessageRequest> made;
  if (draw_.message == limit_) return made;
  const Time at = next_time(now);
  if (at == Time::max()) return made;
  fabric::MessageRequest& request = made.emplace();
  request.at = at;
  request.destination = parts_.pattern->destination(draw_, destination_random_);
  request.size = parts_.sizes->draw(size_random_);
  request.tag = static_cast<std::uint32_t>(draw_.message++);
  return made;
}

void GeneratedSource::withdraw() {
  // Its number is not used again: destinations that come in turn go on with the next one.
  if (limit_ != std::numeric_limits<std::uint64_t>::max()) ++limit_;
}

Time GeneratedSource::next_time(Time now) {
  const std::vector<Window>& windows = *parts_.windows;
  while (window_ < windows.size()) {
    const Window& window = windows[window_];
    if (!is_started_) {
      parts_.arrivals->start(std::max(now, window.start), window.interval, arrival_random_);
      is_started_ = true;
    }
    // A host that held the source up gets the message late, but its process does not shift.
    const Time at = std::max(parts_.arrivals->next(now, arrival_random_), now);
    if (at < window.stop) return at;
    ++window_;
    is_started_ = false;
  }
  return Time::max();
}

void GeneratedSource::checkpoint(StateArchive& state) {
  parts_.arrivals->checkpoint(state);
  state(draw_, limit_, arrival_random_, destination_random_, size_random_, window_, is_started_);
}

}  // namespace weir::traffic
