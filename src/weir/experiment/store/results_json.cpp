#include "weir/experiment/store/results_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace weir::experiment {

using nlohmann::json;

std::string to_json(const std::vector<double>& values) {
  fmt::memory_buffer out;
  out.push_back('[');
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out.push_back(',');
    if (std::isfinite(values[i])) {
      fmt::format_to(std::back_inserter(out), "{}", values[i]);
    } else {
      fmt::format_to(std::back_inserter(out), "null");
    }
  }
  out.push_back(']');
  return fmt::to_string(out);
}

std::vector<double> numbers_from_json(const std::string& text) {
  std::vector<double> values;
  for (const json& v : json::parse(text)) {
    values.push_back(v.is_null() ? std::numeric_limits<double>::quiet_NaN() : v.get<double>());
  }
  return values;
}

std::string to_json(const std::vector<Time>& times) {
  json list = json::array();
  for (const Time time : times) list.push_back(time.count);
  return list.dump();
}

std::vector<Time> times_from_json(const std::string& text) {
  std::vector<Time> times;
  for (const json& time : json::parse(text)) times.emplace_back(time.get<std::int64_t>());
  return times;
}

std::string to_json(const std::vector<std::string>& texts) {
  return json(texts).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<std::string> texts_from_json(const std::string& text) {
  return json::parse(text).get<std::vector<std::string>>();
}

std::string to_json(const metrics::Histogram& histogram) {
  const metrics::Histogram::Stored stored = histogram.stored();
  json buckets = json::array();
  for (const auto& [bucket, times] : stored.buckets) {
    buckets.push_back({metrics::Histogram::lower_bound(bucket), times});
  }
  return json{
      {"sum", stored.sum}, {"min", stored.minimum}, {"max", stored.maximum}, {"buckets", buckets}}
      .dump();
}

metrics::Histogram histogram_from_json(const std::string& text) {
  const json in = json::parse(text);
  metrics::Histogram::Stored stored;
  stored.sum = in.at("sum").get<double>();
  stored.minimum = in.at("min").get<std::int64_t>();
  stored.maximum = in.at("max").get<std::int64_t>();
  for (const json& bucket : in.at("buckets")) {
    const auto low = bucket.at(0).get<std::int64_t>();
    stored.buckets.emplace_back(static_cast<std::uint32_t>(metrics::Histogram::bucket_of(low)),
                                bucket.at(1).get<std::uint64_t>());
  }
  return metrics::Histogram::restore(stored);
}

namespace {

std::string pairs_to_json(const std::vector<std::string>& names, const std::vector<int>& numbers) {
  json out = json::array();
  for (std::size_t i = 0; i < names.size(); ++i) out.push_back({names[i], numbers[i]});
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

void pairs_from_json(const std::string& text, std::vector<std::string>& names,
                     std::vector<int>& numbers) {
  for (const json& pair : json::parse(text)) {
    names.push_back(pair.at(0).get<std::string>());
    numbers.push_back(pair.at(1).get<int>());
  }
}

}  // namespace

std::string branches_to_json(const metrics::TreeRecord& tree) {
  return pairs_to_json(tree.branches, tree.branch_depths);
}

void branches_from_json(const std::string& text, metrics::TreeRecord& tree) {
  pairs_from_json(text, tree.branches, tree.branch_depths);
}

std::string sides_to_json(const metrics::SetAsideTree& tree) {
  return pairs_to_json(tree.sides, tree.hops);
}

void sides_from_json(const std::string& text, metrics::SetAsideTree& tree) {
  pairs_from_json(text, tree.sides, tree.hops);
}

}  // namespace weir::experiment
