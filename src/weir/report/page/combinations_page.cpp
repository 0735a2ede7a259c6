#include "weir/report/page/combinations_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/experiment/combinations/combinations.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/report/page/reference_pages.hpp"

namespace weir::report {

namespace {

using experiment::CombinationMatrix;
using experiment::Dimension;
using experiment::Part;

constexpr const char* kCombinationsHead = R"(# Combinations

Which models, and which choices of a key, work together. Two of them at a time are put into a small experiment,
with [what each of them needs](#parts) to mean anything, and the checks that a run makes before its first event
decide. **✓**: they work. A number: they are refused, and the check says why below the table. A test runs every pair
that works here, with a hot spot, until everything has been delivered, and counts that nothing is lost or left.

This page is written by `weir reference docs/reference`; nothing in it is typed.
)";

std::string anchor(const CombinationMatrix& matrix) {
  std::string text = matrix.rows->name + "-" + matrix.columns->name;
  std::replace(text.begin(), text.end(), '.', '-');
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

/// "a.b = 1", "c = 2" as code.
std::string keys_text(const std::string& toml) {
  std::string text;
  for (const auto& [key, value] : experiment::flattened(parse_toml(toml, "combination")))
    text += fmt::format("{}`{} = {}`", text.empty() ? "" : ", ", key, cell(to_toml(value)));
  return text;
}

std::string needs_text(const Part& part) {
  std::string text;
  for (const std::string& one : part.needs) {
    const std::string keys = one.empty() ? "nothing" : keys_text(one);
    text += (text.empty() ? "" : "; or ") + keys;
  }
  return text == "nothing" ? "" : text;
}

/// So that a table of weights for every number of VLs does not fill the page.
constexpr std::size_t kMostNeeds = 3;

std::string parts_text(const std::vector<Dimension>& all) {
  std::string text =
      "\n## What was put together <a id=\"parts\"></a>\n\nThe experiment:\n\n```toml\n";
  text += experiment::small_experiment();
  text +=
      "```\n\nWhat the parts are in it, and what each of them needs besides. Where there are "
      "several "
      "needs the first that is accepted is taken, and what another part says goes before. Models "
      "that "
      "need a file are left out, and so is a preset beside the marker or the reaction that would "
      "take "
      "the place of its own.\n\n| | part | keys | needs |\n|---|---|---|---|\n";
  for (const Dimension& dimension : all) {
    for (const Part& part : dimension.parts) {
      Part shown = part;
      const bool is_cut = shown.needs.size() > kMostNeeds;
      if (is_cut) shown.needs.resize(kMostNeeds);
      text += fmt::format("| {} | {} | {} | {}{} |\n", dimension.title, cell(part.name),
                          keys_text(part.own), needs_text(shown), is_cut ? "; and so on" : "");
    }
  }
  return text;
}

/// How many pairs work, with a link to which.
std::string overview_text(const std::vector<Dimension>& all,
                          const std::vector<CombinationMatrix>& matrices) {
  int size = 0;
  int working = 0;
  std::map<std::pair<const Dimension*, const Dimension*>, std::string> counts;
  for (const CombinationMatrix& one : matrices) {
    size += one.size();
    working += one.working();
    const std::string link = fmt::format("[{}/{}](#{})", one.working(), one.size(), anchor(one));
    counts[{one.rows, one.columns}] = counts[{one.columns, one.rows}] = link;
  }
  std::string text = fmt::format("\n## Overview\n\n{} of {} pairs work.\n\n| |", working, size);
  for (std::size_t i = 1; i < all.size(); ++i) text += " " + all[i].title + " |";
  text += "\n|---|";
  for (std::size_t i = 1; i < all.size(); ++i) text += "---|";
  text += "\n";
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    text += "| " + all[i].title + " |";
    for (std::size_t j = 1; j < all.size(); ++j)
      text += j <= i ? " |" : fmt::format(" {} |", counts[{&all[i], &all[j]}]);
    text += "\n";
  }
  return text;
}

/// All refusals, the frequent ones first.
std::string reasons_text(const std::vector<CombinationMatrix>& matrices) {
  std::map<std::string, int> counts;
  for (const CombinationMatrix& one : matrices) {
    for (const auto& row : one.cells) {
      for (const auto& each : row) {
        if (each.refusal) ++counts[*each.refusal];
      }
    }
  }
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = "\n## Reasons\n\n| pairs | reason |\n|---|---|\n";
  for (const auto& [reason, count] : sorted)
    text += fmt::format("| {} | {} |\n", count, cell(reason));
  return text;
}

std::string lower_first(std::string text) {
  text.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(text.front())));
  return text;
}

std::string matrix_text(const CombinationMatrix& matrix) {
  std::string text = fmt::format("\n### {} and {} <a id=\"{}\"></a>\n\n", matrix.rows->title,
                                 lower_first(matrix.columns->title), anchor(matrix));
  if (matrix.working() == matrix.size())
    return text + fmt::format("All {} pairs work.\n", matrix.size());
  text += "| |";
  for (const Part& column : matrix.columns->parts) text += " " + cell(column.name) + " |";
  text += "\n|---|";
  for (std::size_t c = 0; c < matrix.columns->parts.size(); ++c) text += "---|";
  std::vector<std::string> reasons;
  for (std::size_t r = 0; r < matrix.cells.size(); ++r) {
    text += "\n| " + cell(matrix.rows->parts[r].name) + " |";
    for (const experiment::Combination& one : matrix.cells[r]) {
      if (!one.refusal) {
        text += " ✓ |";
        continue;
      }
      auto found = std::find(reasons.begin(), reasons.end(), *one.refusal);
      if (found == reasons.end()) found = reasons.insert(found, *one.refusal);
      text += fmt::format(" {} |", found - reasons.begin() + 1);
    }
  }
  text += "\n\n";
  for (std::size_t i = 0; i < reasons.size(); ++i)
    text += fmt::format("{}. {}\n", i + 1, cell(reasons[i]));
  return text;
}

}  // namespace

std::string combinations_page() {
  const std::vector<Dimension> all = experiment::dimensions();
  std::vector<CombinationMatrix> matrices;
  for (const auto& [rows, columns] : experiment::pairs_of(all))
    matrices.push_back(experiment::check_pair(*rows, *columns));
  std::string text =
      kCombinationsHead + overview_text(all, matrices) + reasons_text(matrices) + "\n## Pairs\n";
  for (const CombinationMatrix& one : matrices) text += matrix_text(one);
  return text + parts_text(all);
}

}  // namespace weir::report
