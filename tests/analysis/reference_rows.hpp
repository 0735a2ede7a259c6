#pragma once

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "weir/analysis/threshold_queue.hpp"

namespace weir::analysis {

/// A row of data/level_queues.txt, which says what its columns are.
struct ReferenceRow {
  std::string text;
  ArrivalJobThresholdQueue queue;
  std::map<std::string, double> expected;  ///< by column, those that are given
};

/// "8,16,12"; "-": none.
template <class Number>
std::vector<Number> read_list(std::string text) {
  if (text == "-") return {};
  for (char& c : text) c = c == ',' ? ' ' : c;
  std::istringstream in(text);
  return {std::istream_iterator<Number>(in), std::istream_iterator<Number>()};
}

inline std::vector<ReferenceRow> read_reference_rows() {
  std::ifstream file(WEIR_SOURCE_DIR "/tests/analysis/data/level_queues.txt");
  std::vector<ReferenceRow> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    ReferenceRow row{line, {}, {}};
    std::istringstream in(line);
    std::string rates, thresholds, mode;
    ArrivalJobThresholdQueue& queue = row.queue;
    in >> rates >> thresholds >> mode >> queue.capacity >> queue.arrival_rate >>
        queue.arrival_scv >> queue.service_scv;
    queue.rates = read_list<double>(rates);
    queue.thresholds = read_list<std::int64_t>(thresholds);
    queue.mode = mode == "above" ? ThresholdMode::above : ThresholdMode::at_or_above;
    for (const char* column : {"L", "pi", "T", "R", "busy", "P0", "PM", "U1", "U2", "U3"}) {
      std::string value;
      in >> value;
      if (value != "-") row.expected[column] = std::stod(value);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace weir::analysis
