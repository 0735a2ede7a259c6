#include "weir/report/figure/data.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "weir/experiment/config/variants.hpp"
#include "weir/metrics/student_t.hpp"
#include "weir/report/figure/axis.hpp"

namespace weir::report {

using experiment::RunRecord;

namespace {

constexpr double kConfidence = 0.95;
constexpr const char* kSeed = "experiment.seed";

/// The line so named, made at the end where there is none.
template <class List>
auto& named(List& list, const std::string& name) {
  for (auto& [known, content] : list) {
    if (known == name) return content;
  }
  return list.emplace_back(name, typename List::value_type::second_type{}).second;
}

}  // namespace

void Estimate::add(double value, double half_width) {
  if (std::isnan(value)) return;
  ++count_;
  own_half_width_ = half_width;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
}

double Estimate::mean() const { return count_ == 0 || is_unknown_ ? std::nan("") : mean_; }

double Estimate::half_width() const {
  if (count_ == 0 || is_unknown_) return std::nan("");
  if (count_ == 1) return own_half_width_;
  const auto n = static_cast<double>(count_);
  return metrics::student_t(kConfidence, n - 1) * std::sqrt(squares_ / (n - 1) / n);
}

RunNames::RunNames(const std::vector<const RunRecord*>& runs) {
  std::vector<std::string> known{kCase};
  for (const RunRecord* run : runs) {
    for (const auto& [key, value] : run->parameters) {
      if (key != kSeed && std::find(known.begin(), known.end(), key) == known.end()) {
        known.push_back(key);
      }
    }
  }
  for (const std::string& key : known) {
    // What takes one value in each case, the case tells.
    std::map<std::string, std::set<std::string>> values;
    std::set<std::string> all;
    for (const RunRecord* run : runs) {
      values[key == kCase ? "" : run->case_name].insert(value(*run, key));
      all.insert(value(*run, key));
    }
    const bool tells = std::any_of(values.begin(), values.end(),
                                   [](const auto& in_case) { return in_case.second.size() > 1; });
    if (tells) {
      keys_.push_back(key);
    } else if (key != kCase && all.size() > 1) {
      groups_.push_back(key);
    }
  }
}

std::string RunNames::value(const RunRecord& run, const std::string& key) {
  if (key == kCase) return run.case_name;
  for (const auto& [known, value] : run.parameters) {
    if (known == key) return value;
  }
  return "";
}

std::string RunNames::part(const std::string& key, const std::string& value) const {
  if (key == kCase || !swept_number(value)) return value;
  return experiment::short_key(key, keys_) + " = " + value;
}

std::string RunNames::text(const RunRecord& run, const std::vector<std::string>& without) const {
  std::string out;
  const auto is_left_out = [&](const std::string& key) {
    return std::find(without.begin(), without.end(), key) != without.end();
  };
  const auto add = [&](const std::string& key) {
    if (is_left_out(key)) return;
    const std::string one = part(key, value(run, key));
    if (!one.empty()) out += (out.empty() ? "" : ", ") + one;
  };
  const bool by_group = std::any_of(groups_.begin(), groups_.end(), is_left_out);
  for (const std::string& key : keys_) {
    if (key == kCase && by_group) {
      for (const std::string& group : groups_) add(group);
    } else {
      add(key);
    }
  }
  return out;
}

LineTable::Cells& LineTable::line(const std::string& panel, const std::string& label) {
  return named(named(panels_, panel), label);
}

void LineTable::write(Figure& figure) const {
  for (const auto& [title, lines] : panels_) {
    FigurePanel& panel = figure.panels.emplace_back();
    panel.title = title;
    for (const auto& [label, cells] : lines) {
      auto at = std::find(figure.names.begin(), figure.names.end(), label);
      if (at == figure.names.end()) at = figure.names.insert(at, label);
      FigureLine line{label, static_cast<std::size_t>(at - figure.names.begin()), {}, {}};
      for (const auto& [order, cell] : cells) {
        line.points.push_back(
            {cell.x.mean(), cell.y.mean(), cell.y.half_width(), cell.x.half_width()});
      }
      panel.lines.push_back(std::move(line));
    }
  }
}

}  // namespace weir::report
