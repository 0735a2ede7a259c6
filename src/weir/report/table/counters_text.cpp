#include "weir/report/table/counters_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace weir::report {
namespace {

using metrics::Agreement;
using metrics::ComparedLink;
using metrics::ComparedQuantity;
using metrics::LinkComparison;
using nlohmann::json;
using topology::CounterState;

/// What is not known comes last.
double descending(double value) { return std::isnan(value) ? 1 : -value; }

std::vector<const ComparedLink*> in_order(const LinkComparison& comparison, LinkOrder order,
                                          std::size_t rows) {
  std::vector<const ComparedLink*> links;
  for (const ComparedLink& link : comparison.links) links.push_back(&link);
  const auto key = [&](const ComparedLink* link) {
    switch (order) {
      case LinkOrder::disagreement:
        return std::tuple(descending(link->rank_difference()), descending(link->wait.count));
      case LinkOrder::measured:
        return std::tuple(descending(link->wait.count), 0.0);
      case LinkOrder::simulated:
        return std::tuple(descending(link->wait.simulated_time), 0.0);
      case LinkOrder::name:
        break;
    }
    return std::tuple(0.0, 0.0);
  };
  std::stable_sort(links.begin(), links.end(),
                   [&](const auto* a, const auto* b) { return key(a) < key(b); });
  if (rows > 0 && links.size() > rows) links.resize(rows);
  return links;
}

std::string agreement_line(const char* what, const Agreement& agreement) {
  if (std::isnan(agreement.coefficient)) {
    return fmt::format("{}no rank correlation: {}\n", what,
                       agreement.links < 3
                           ? fmt::format("{} links can be compared", agreement.links)
                           : "on one side all links are equal");
  }
  return fmt::format("{}rank correlation (Spearman) {:.3f} over {} links\n", what,
                     agreement.coefficient, agreement.links);
}

std::string count_text(const ComparedQuantity& quantity) {
  return quantity.state == CounterState::counted ? format_number(quantity.count)
                                                 : std::string(to_string(quantity.state));
}

json number_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json quantity_json(const ComparedQuantity& quantity, const char* unit) {
  return {{"state", to_string(quantity.state)},
          {unit, number_or_null(quantity.count)},
          {"measured_share", number_or_null(quantity.measured)},
          {"simulated_share", number_or_null(quantity.simulated)},
          {"measured_time", number_or_null(quantity.measured_time)},
          {"simulated_time", number_or_null(quantity.simulated_time)},
          {"measured_rank", number_or_null(quantity.measured_rank)},
          {"simulated_rank", number_or_null(quantity.simulated_rank)}};
}

json agreement_json(const Agreement& agreement) {
  return {{"spearman", number_or_null(agreement.coefficient)}, {"links", agreement.links}};
}

}  // namespace

std::string agreement_text(const LinkComparison& comparison) {
  return agreement_line("Waiting:   ", comparison.wait) +
         agreement_line("Data sent: ", comparison.sent);
}

std::string counters_table(const LinkComparison& comparison, LinkOrder order, std::size_t rows,
                           const TextTable::Look& look) {
  const bool has_sent_time = comparison.has_sent_time;
  const bool has_wait_time = comparison.has_wait_time;
  TextTable table;
  table.add_column("link", Align::left);
  table.add_column("group", Align::left);
  table.add_column(has_sent_time ? "sent [time]" : "sent [share]", Align::right);
  table.add_column("simulated", Align::right);
  table.add_column("XmitWait", Align::right);
  table.add_column(has_wait_time ? "waited [time]" : "waited [share]", Align::right);
  table.add_column("simulated", Align::right);
  table.add_column("rank", Align::right);
  table.add_column("simulated", Align::right);
  table.add_column("apart", Align::right);
  const auto shown = in_order(comparison, order, rows);
  for (const ComparedLink* link : shown) {
    const ComparedQuantity& sent = link->sent;
    const ComparedQuantity& wait = link->wait;
    const std::string sent_text =
        sent.state == CounterState::counted
            ? format_number(has_sent_time ? sent.measured_time : sent.measured)
            : std::string(to_string(sent.state));
    table.add_row({link->name, link->group, sent_text,
                   format_number(has_sent_time ? sent.simulated_time : sent.simulated),
                   count_text(wait),
                   format_number(has_wait_time ? wait.measured_time : wait.measured),
                   format_number(has_wait_time ? wait.simulated_time : wait.simulated),
                   format_number(wait.measured_rank), format_number(wait.simulated_rank),
                   format_number(link->rank_difference())});
  }
  std::string text = table.render(look);
  if (shown.size() < comparison.links.size()) {
    text +=
        fmt::format("{} more links: --rows 0 shows all\n", comparison.links.size() - shown.size());
  }
  return text;
}

std::string counters_csv(const LinkComparison& comparison, LinkOrder order, std::size_t rows) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  std::string text =
      "link,group,sent_state,sent_bytes,sent_share,sent_share_simulated,sent_time,"
      "sent_time_simulated,wait_state,wait_ticks,wait_share,wait_share_simulated,wait_time,"
      "wait_time_simulated,wait_rank,wait_rank_simulated\n";
  for (const ComparedLink* link : in_order(comparison, order, rows)) {
    std::string name = link->name;
    // RFC 4180; the other columns hold no commas.
    if (name.find_first_of(",\"\r\n") != std::string::npos) {
      for (std::size_t at = name.find('"'); at != std::string::npos; at = name.find('"', at + 2)) {
        name.insert(at, 1, '"');
      }
      name = '"' + name + '"';
    }
    text += name + ',' + link->group;
    for (const ComparedQuantity* q : {&link->sent, &link->wait}) {
      text += fmt::format(",{},{},{},{},{},{}", to_string(q->state), number(q->count),
                          number(q->measured), number(q->simulated), number(q->measured_time),
                          number(q->simulated_time));
    }
    text += fmt::format(",{},{}\n", number(link->wait.measured_rank),
                        number(link->wait.simulated_rank));
  }
  return text;
}

json counters_json(const LinkComparison& comparison, LinkOrder order, std::size_t rows) {
  json links = json::array();
  for (const ComparedLink* link : in_order(comparison, order, rows)) {
    links.push_back({{"name", link->name},
                     {"group", link->group},
                     {"sent", quantity_json(link->sent, "bytes")},
                     {"wait", quantity_json(link->wait, "ticks")},
                     {"rank_difference", number_or_null(link->rank_difference())}});
  }
  return {{"wait", agreement_json(comparison.wait)},
          {"sent", agreement_json(comparison.sent)},
          {"notes", comparison.notes},
          {"links", std::move(links)}};
}

}  // namespace weir::report
