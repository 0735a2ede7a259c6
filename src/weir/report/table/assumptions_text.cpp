#include "weir/report/table/assumptions_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weir/experiment/config/variants.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {
namespace {

using experiment::claims::Assumption;
using experiment::claims::Document;

std::vector<Assumption> by_origin(const Document& document) {
  std::vector<Assumption> all = document.assumptions;
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.origin < b.origin; });
  return all;
}

}  // namespace

std::string assumptions_table(const Document& document, bool color, std::size_t width) {
  if (document.assumptions.empty()) return "";
  TextTable table;
  for (const char* title : {"origin", "key", "value", "source"}) {
    table.add_column(title, Align::left);
  }
  for (const Assumption& one : by_origin(document)) {
    table.add_row({std::string(to_string(one.origin)), one.key, experiment::short_text(one.value),
                   one.source});
  }
  table.wrap(width);
  return table.render(color);
}

std::string assumptions_section(const Document& document) {
  if (document.assumptions.empty()) return "";
  std::string text = fmt::format(
      "\n## What the experiments have\n\nPublished values are printed in the document, calibrated "
      "ones settle what it leaves open, chosen ones are neither (`weir describe {}`).\n\n"
      "| origin | key | value | source |\n|---|---|---|---|\n",
      document.name);
  for (const Assumption& one : by_origin(document)) {
    text += fmt::format("| {} | `{}` | {} | {} |\n", to_string(one.origin), one.key,
                        experiment::short_text(one.value), one.source);
  }
  return text;
}

}  // namespace weir::report
