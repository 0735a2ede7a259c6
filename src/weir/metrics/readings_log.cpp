#include "weir/metrics/readings_log.hpp"

#include "weir/base/archive.hpp"

namespace weir::metrics {

enum class ReadingsLog::Call : std::uint8_t {
  count,
  count_of,
  mean,
  mean_of,
  mean_over_time,
  average_at,
  mean_at,
  ratio_of,
  level,
  level_of_most,
  level_at,
  value,
  value_of_sum,
  value_of_mean,
  smallest,
  largest,
  most_at_once,
  ranked
};

ReadingsLog::Entry& ReadingsLog::add(Call call, std::string_view metric, std::string_view label) {
  Entry& entry = entries_.emplace_back();
  entry.call = call;
  entry.metric = metric;
  entry.label = label;
  return entry;
}

void ReadingsLog::count(std::string_view metric, double total, std::string_view label) {
  add(Call::count, metric, label).number = total;
}

void ReadingsLog::count_of(std::size_t traffic_class, std::string_view metric, double total) {
  Entry& entry = add(Call::count_of, metric);
  entry.traffic_class = traffic_class;
  entry.number = total;
}

void ReadingsLog::mean(std::string_view metric, ExactSum part, ExactSum whole) {
  Entry& entry = add(Call::mean, metric);
  entry.part = part;
  entry.whole = whole;
}

void ReadingsLog::mean_of(std::size_t traffic_class, std::string_view metric, ExactSum part,
                          ExactSum whole) {
  Entry& entry = add(Call::mean_of, metric);
  entry.traffic_class = traffic_class;
  entry.part = part;
  entry.whole = whole;
}

void ReadingsLog::mean_over_time(std::string_view metric, ExactSum integral) {
  add(Call::mean_over_time, metric).part = integral;
}

void ReadingsLog::average_at(std::string_view metric, std::string_view label, ExactSum integral,
                             std::uint32_t number) {
  Entry& entry = add(Call::average_at, metric, label);
  entry.part = integral;
  entry.rank = number;
}

void ReadingsLog::mean_at(std::string_view metric, std::string_view label, ExactSum part,
                          ExactSum whole, std::uint32_t number) {
  Entry& entry = add(Call::mean_at, metric, label);
  entry.rank = number;
  entry.part = part;
  entry.whole = whole;
}

void ReadingsLog::ratio_of(std::size_t traffic_class, std::string_view metric, ExactSum part,
                           ExactSum whole) {
  Entry& entry = add(Call::ratio_of, metric);
  entry.traffic_class = traffic_class;
  entry.part = part;
  entry.whole = whole;
}

void ReadingsLog::level(std::string_view metric, double now, std::string_view largest) {
  add(Call::level, metric, largest).number = now;
}

void ReadingsLog::level_of_most(std::string_view metric, double now, std::string_view largest) {
  add(Call::level_of_most, metric, largest).number = now;
}

void ReadingsLog::level_at(std::string_view metric, std::string_view label, double now,
                           std::uint32_t number) {
  Entry& entry = add(Call::level_at, metric, label);
  entry.number = now;
  entry.rank = number;
}

void ReadingsLog::value(std::string_view metric, double value, std::string_view label) {
  add(Call::value, metric, label).number = value;
}

void ReadingsLog::value_of_sum(std::string_view metric, ExactSum sum, double unit) {
  Entry& entry = add(Call::value_of_sum, metric);
  entry.part = sum;
  entry.number = unit;
}

void ReadingsLog::value_of_mean(std::string_view metric, ExactSum sum, double unit,
                                ExactSum count) {
  Entry& entry = add(Call::value_of_mean, metric);
  entry.part = sum;
  entry.number = unit;
  entry.whole = count;
}

void ReadingsLog::smallest(std::string_view metric, double value, std::string_view label) {
  add(Call::smallest, metric, label).number = value;
}

void ReadingsLog::largest(std::string_view metric, double value, std::string_view label) {
  add(Call::largest, metric, label).number = value;
}

void ReadingsLog::most_at_once(std::string_view metric, std::span<const fabric::Change> changes) {
  add(Call::most_at_once, metric).changes.assign(changes.begin(), changes.end());
}

void ReadingsLog::ranked(std::string_view metric, double value, std::string_view label,
                         std::uint32_t number) {
  Entry& entry = add(Call::ranked, metric, label);
  entry.number = value;
  entry.rank = number;
}

Ranks::Parcel ReadingsLog::bytes() const { return to_bytes(entries_); }

void ReadingsLog::tell(const Ranks::Parcel& bytes, fabric::Readings& to) {
  std::vector<Entry> entries;
  from_bytes(bytes, entries);
  for (const Entry& e : entries) {
    switch (e.call) {
      case Call::count:
        to.count(e.metric, e.number, e.label);
        break;
      case Call::count_of:
        to.count_of(e.traffic_class, e.metric, e.number);
        break;
      case Call::mean:
        to.mean(e.metric, e.part, e.whole);
        break;
      case Call::mean_of:
        to.mean_of(e.traffic_class, e.metric, e.part, e.whole);
        break;
      case Call::mean_over_time:
        to.mean_over_time(e.metric, e.part);
        break;
      case Call::average_at:
        to.average_at(e.metric, e.label, e.part, e.rank);
        break;
      case Call::mean_at:
        to.mean_at(e.metric, e.label, e.part, e.whole, e.rank);
        break;
      case Call::ratio_of:
        to.ratio_of(e.traffic_class, e.metric, e.part, e.whole);
        break;
      case Call::level:
        to.level(e.metric, e.number, e.label);
        break;
      case Call::level_of_most:
        to.level_of_most(e.metric, e.number, e.label);
        break;
      case Call::level_at:
        to.level_at(e.metric, e.label, e.number, e.rank);
        break;
      case Call::value:
        to.value(e.metric, e.number, e.label);
        break;
      case Call::value_of_sum:
        to.value_of_sum(e.metric, e.part, e.number);
        break;
      case Call::value_of_mean:
        to.value_of_mean(e.metric, e.part, e.number, e.whole);
        break;
      case Call::smallest:
        to.smallest(e.metric, e.number, e.label);
        break;
      case Call::largest:
        to.largest(e.metric, e.number, e.label);
        break;
      case Call::most_at_once:
        to.most_at_once(e.metric, e.changes);
        break;
      case Call::ranked:
        to.ranked(e.metric, e.number, e.label, e.rank);
        break;
    }
  }
}

}  // namespace weir::metrics
