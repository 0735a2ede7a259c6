#include "weir/traffic/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "weir/traffic/column_reader.hpp"
#include "weir/traffic/incast.hpp"
#include "weir/traffic/storage.hpp"

namespace weir::traffic {
namespace {

std::shared_ptr<const Trace> load_trace(const Checked<TraceKeys>& keys, std::size_t hosts) {
  const std::string& path = keys->file.name;
  try {
    std::ifstream in = open_input(path);
    return std::make_shared<const Trace>(read_trace(in, path, {hosts, keys->compression}));
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& problem) {
    throw keys.error(&TraceKeys::file, problem.what());
  }
}

/// Time for which `what` is made.
Time recorded_span(const TrafficEntry& entry, const TrafficContext& context, const char* what) {
  const Phase& phase = entry.phases.front();
  const Time stop = std::min(phase.stop, context.end);
  if (stop == Time::max()) {
    throw entry.keys.error(&TrafficKeys::stop,
                           fmt::format("is missing: {} is made up to it, or up to the duration of "
                                       "the experiment",
                                       what));
  }
  return std::max(stop, phase.start) - phase.start;
}

Recorded make_storage(const TrafficEntry& entry, std::uint32_t index,
                      const TrafficContext& context) {
  const Time span = recorded_span(entry, context, "storage traffic");
  const StorageWorkload workload(entry, index, context);
  return {std::make_shared<const Trace>(workload.messages(span)), workload.senders()};
}

Recorded make_incasts(const TrafficEntry& entry, std::uint32_t index,
                      const TrafficContext& context) {
  const Checked<IncastKeys>& keys = *entry.incast;
  const Time span = keys->times ? Time::max() : recorded_span(entry, context, "incast traffic");
  const IncastWorkload workload(entry, index, context);
  Recorded made{std::make_shared<const Trace>(workload.messages(span)), workload.senders()};
  if (keys->destinations) made.targets = workload.destinations();
  return made;
}

}  // namespace

Recorded make_recorded(const TrafficEntry& entry, std::uint32_t index,
                       const TrafficContext& context) {
  if (entry.storage) return make_storage(entry, index, context);
  if (entry.incast) return make_incasts(entry, index, context);
  if (!entry.trace) return {};
  auto trace = load_trace(*entry.trace, context.graph.host_count());
  std::vector<HostId> senders = trace->sources();
  return {std::move(trace), std::move(senders)};
}

}  // namespace weir::traffic
