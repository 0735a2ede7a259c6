#include "weir/experiment/store/packed_result.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "weir/experiment/store/results_json.hpp"

namespace weir::experiment {
namespace {

using nlohmann::json;

json names(const MetricName& name) { return {name.metric, name.label}; }

MetricName name_in(const json& in) {
  return {in.at(0).get<std::string>(), in.at(1).get<std::string>()};
}

json listed(const metrics::RunResult& result) {
  json scalars = json::array();
  for (const metrics::Scalar& s : result.scalars) {
    scalars.push_back({names(s.name), s.value, s.half_width, static_cast<int>(s.quality)});
  }
  json series = json::array();
  for (const metrics::Series& s : result.series) {
    series.push_back({names(s.name), s.start.count, s.bin.count, s.values});
  }
  json histograms = json::array();
  for (const metrics::NamedHistogram& h : result.histograms) {
    histograms.push_back({names(h.name), to_json(h.histogram)});
  }
  json links = json::array();
  for (const metrics::LinkSummary& l : result.links) {
    links.push_back({l.name, l.group, l.utilization, l.wait, l.bytes, l.packets, l.queued_max});
  }
  json trees = json::array();
  for (const metrics::TreeRecord& t : result.trees) {
    trees.push_back({t.at.count, t.root, t.depth, t.branches, t.branch_depths, t.leaves});
  }
  const metrics::LinkFrames& f = result.frames;
  json frames{to_json(f.times), f.links, json::binary({f.utilization.begin(), f.utilization.end()}),
              json::binary({f.wait.begin(), f.wait.end()}),
              json::binary({f.set_aside.begin(), f.set_aside.end()})};
  json set_aside_trees = json::array();
  for (const metrics::SetAsideTree& t : result.set_aside_trees) {
    set_aside_trees.push_back({t.root, t.from.count, t.until.count, t.allocations, t.queues_max,
                               t.hops_max, t.bytes_max, t.sides, t.hops, t.leaves});
  }
  json set_aside_events = json::array();
  for (const metrics::SetAsideRecord& e : result.set_aside_events) {
    set_aside_events.push_back({e.at.count, e.side, e.root, e.hops, e.kind, e.lifetime.count});
  }
  return {{"scalars", std::move(scalars)},
          {"series", std::move(series)},
          {"histograms", std::move(histograms)},
          {"links", std::move(links)},
          {"trees", std::move(trees)},
          {"frames", std::move(frames)},
          {"set_aside_trees", std::move(set_aside_trees)},
          {"set_aside_events", std::move(set_aside_events)},
          {"notes", result.notes},
          {"fingerprint", result.fingerprint},
          {"wall_seconds", result.wall_seconds},
          {"earlier_seconds", result.earlier_seconds},
          {"cpu_seconds", result.cpu_seconds}};
}

void read_set_aside(const json& in, metrics::RunResult& out) {
  for (const json& t : in.at("set_aside_trees")) {
    out.set_aside_trees.push_back(
        {t.at(0).get<std::string>(), Time(t.at(1).get<std::int64_t>()),
         Time(t.at(2).get<std::int64_t>()), t.at(3).get<std::uint64_t>(),
         t.at(4).get<std::uint32_t>(), t.at(5).get<std::uint32_t>(), t.at(6).get<std::int64_t>(),
         t.at(7).get<std::vector<std::string>>(), t.at(8).get<std::vector<int>>(),
         t.at(9).get<std::vector<std::string>>()});
  }
  for (const json& e : in.at("set_aside_events")) {
    out.set_aside_events.push_back({Time(e.at(0).get<std::int64_t>()), e.at(1).get<std::string>(),
                                    e.at(2).get<std::string>(), e.at(3).get<int>(),
                                    e.at(4).get<std::string>(), Time(e.at(5).get<std::int64_t>())});
  }
}

metrics::RunResult result_in(const json& in) {
  metrics::RunResult out;
  for (const json& s : in.at("scalars")) {
    out.scalars.push_back({name_in(s.at(0)), s.at(1).get<double>(), s.at(2).get<double>(),
                           static_cast<metrics::Quality>(s.at(3).get<int>())});
  }
  for (const json& s : in.at("series")) {
    out.series.push_back({name_in(s.at(0)), Time(s.at(1).get<std::int64_t>()),
                          Time(s.at(2).get<std::int64_t>()), s.at(3).get<std::vector<double>>()});
  }
  for (const json& h : in.at("histograms")) {
    out.histograms.push_back({name_in(h.at(0)), histogram_from_json(h.at(1).get<std::string>())});
  }
  for (const json& l : in.at("links")) {
    out.links.push_back({l.at(0).get<std::string>(), l.at(1).get<std::string>(),
                         l.at(2).get<double>(), l.at(3).get<double>(), l.at(4).get<std::int64_t>(),
                         l.at(5).get<std::int64_t>(), l.at(6).get<std::int64_t>()});
  }
  const json& frames = in.at("frames");
  const auto bytes = [](const json& binary) {
    return std::string(binary.get_binary().begin(), binary.get_binary().end());
  };
  out.frames = {times_from_json(frames.at(0).get<std::string>()), frames.at(1).get<std::size_t>(),
                bytes(frames.at(2)), bytes(frames.at(3)), bytes(frames.at(4))};
  for (const json& t : in.at("trees")) {
    out.trees.push_back({Time(t.at(0).get<std::int64_t>()), t.at(1).get<std::string>(),
                         t.at(2).get<int>(), t.at(3).get<std::vector<std::string>>(),
                         t.at(4).get<std::vector<int>>(), t.at(5).get<std::vector<std::string>>()});
  }
  read_set_aside(in, out);
  out.notes = in.at("notes").get<std::vector<std::string>>();
  out.fingerprint = in.at("fingerprint").get<std::uint64_t>();
  out.wall_seconds = in.at("wall_seconds").get<double>();
  out.earlier_seconds = in.at("earlier_seconds").get<double>();
  out.cpu_seconds = in.at("cpu_seconds").get<double>();
  return out;
}

}  // namespace

std::vector<std::uint8_t> packed(const metrics::RunResult& result) {
  return json::to_cbor(listed(result));
}

metrics::RunResult unpacked_result(const std::vector<std::uint8_t>& bytes) {
  return result_in(json::from_cbor(bytes));
}

}  // namespace weir::experiment
