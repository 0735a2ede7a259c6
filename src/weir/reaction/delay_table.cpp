#include "weir/reaction/delay_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace weir::reaction {

namespace {

constexpr std::uint32_t kMostIndex = 1U << 24;  ///< exact as a float

}  // namespace

DelayTable::DelayTable(DelayTableSettings settings)
    : settings_(std::move(settings)), limit_(settings_.limit == 0 ? kMostIndex : settings_.limit) {
  if (!settings_.entries.empty()) {
    limit_ = std::min(limit_, static_cast<std::uint32_t>(settings_.entries.size() - 1));
  }
}

Time DelayTable::delay(std::uint32_t index) const {
  if (!settings_.entries.empty()) return settings_.entries[index];
  return Time(bounded_wait(static_cast<double>(index) * static_cast<double>(settings_.slot.count)));
}

std::uint32_t DelayTable::index_at(const FlowState& flow, std::int64_t time) const {
  const std::uint32_t index = index_of(flow);
  if (settings_.timer.count == 0 || index <= settings_.least) return index;
  const std::int64_t ticks = time / settings_.timer.count - flow.changed / settings_.timer.count;
  return index - static_cast<std::uint32_t>(std::min<std::int64_t>(ticks, index - settings_.least));
}

void DelayTable::settle(FlowState& flow, std::int64_t now) const {
  if (settings_.timer.count == 0) return;
  flow.level = static_cast<float>(index_at(flow, now));
  flow.changed = now;
}

bool DelayTable::raise(FlowState& flow) const {
  const std::uint32_t before = index_of(flow);
  const std::uint32_t after = std::min(limit_, before + std::min(settings_.increase, limit_));
  flow.level = static_cast<float>(after);
  return after > before;
}

bool DelayTable::lower(FlowState& flow) const {
  if (index_of(flow) <= settings_.least) return false;
  if (settings_.recovers_by_acks) flow.level -= 1;
  return true;
}

void DelayTable::on_injected(FlowState& flow, std::int64_t, std::int64_t end) const {
  flow.origin = end;
}

/// The index goes down while the flow waits: the first tick after which the delay at the index of
/// then is over, or the end of a delay between two ticks.
std::int64_t DelayTable::earliest(const FlowState& flow, std::int64_t now) const {
  const auto leaves_at = [&](std::int64_t time) {
    return flow.origin + delay(index_at(flow, time)).count;
  };
  std::int64_t at = leaves_at(now);
  if (at <= now || settings_.timer.count == 0) return at;
  const std::int64_t timer = settings_.timer.count;
  std::int64_t low = now / timer;  // not over at its end
  std::int64_t high = at / timer;  // over at its end at the latest
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (leaves_at(middle * timer + timer - 1) <= middle * timer + timer - 1) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return std::max({leaves_at(std::max(now, low * timer)), low * timer, now});
}

double DelayTable::held_for(const FlowState& flow) const {
  if (settings_.timer.count == 0 || is_free(flow)) return Delay::held_for(flow);
  // Delays do not decrease with the index: the steps down to the highest one without delay.
  std::uint32_t low = settings_.least;
  if (delay(low) != Time(0)) return std::numeric_limits<double>::infinity();
  std::uint32_t high = index_of(flow);
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (delay(middle) == Time(0) ? low : high) = middle;
  }
  const std::int64_t ticks = flow.changed / settings_.timer.count + (index_of(flow) - low);
  return static_cast<double>(ticks * settings_.timer.count - flow.changed);
}

bool DelayTable::is_sound(const FlowState& flow) const {
  return index_of(flow) >= settings_.least && index_of(flow) <= std::max(limit_, settings_.least);
}

}  // namespace weir::reaction
