#include <utility>

#include <fmt/format.h>

#include "weir/admission/link_by_link.hpp"
#include "weir/base/keys.hpp"

namespace weir::admission {

namespace {

using fabric::EntriesEnd;

/// With what the model gets in another form.
struct LinkByLinkKeys : LinkByLinkSettings {
  std::optional<std::vector<double>> shares;
  bool are_connections = false;
  std::optional<std::vector<std::int64_t>> high_vls;
  std::optional<EntriesEnd> entries_end;
};

using File = Checked<LinkByLinkKeys>;

std::vector<double> read_budgets(const File& file) {
  const bool is_one_for_all = file->is_one_for_all;
  if (!file->shares)
    return is_one_for_all ? std::vector<double>{1.0} : std::vector<double>{1.0 / 3, 2.0 / 3};
  const std::vector<double>& budgets = *file->shares;
  const auto refuse = [&](const std::string& why) {
    throw file.error(&LinkByLinkKeys::shares, why);
  };
  if (is_one_for_all && budgets.size() != 1) {
    refuse(fmt::format("must be one share with budget = \"one-for-all\", not {}", budgets.size()));
  }
  if (budgets.empty() || budgets.size() > 16) {
    refuse(fmt::format("must be 1 to 16 shares, one for each service level from 0 on, not {}",
                       budgets.size()));
  }
  double sum = 0;
  for (const double one : budgets) sum += one;
  if (sum > 1 + 1e-9) refuse(fmt::format("add up to {:.6g}; a link has no more than 1", sum));
  return budgets;
}

std::optional<fabric::ConnectionTables::Rules> read_tables(
    const File& file, const fabric::AdmissionContext& context) {
  if (!file->are_connections) {
    constexpr const char* kBelongs = "belongs to admission.tables = \"connections\"";
    if (file->high_vls) throw file.error(&LinkByLinkKeys::high_vls, kBelongs);
    if (file->entries_end) throw file.error(&LinkByLinkKeys::entries_end, kBelongs);
    return std::nullopt;
  }
  fabric::ConnectionTables::Rules rules;
  rules.configured = context.arbitration;
  if (file->high_vls) {
    for (const std::int64_t vl : *file->high_vls) rules.high_vls |= 1U << vl;
  }
  if (file->entries_end) rules.end = *file->entries_end;
  return rules;
}

Keys<LinkByLinkKeys> link_by_link_keys() {
  using K = LinkByLinkKeys;
  return {
      choice(&K::is_one_for_all, "budget",
             "what a budget covers: per-service-level, what each level may reserve of a link; "
             "one-for-all, what all may together (simple sum)",
             {{"per-service-level", false}, {"one-for-all", true}}),
      key(&K::shares, "budgets",
          "reservable shares of every link for service level 0, 1, ..., at most 1 in all; with "
          "one-for-all a single one (default: [1/3, 2/3]; [1])")
          .range(0, 1),
      key(&K::retry, "retry", "time after which a rejected connection asks again").at_least(1),
      key(&K::attempts, "attempts",
          "requests after which a connection is given up and its messages are refused; 0: it goes "
          "on asking")
          .range(0, 1'000'000'000),
      choice(&K::are_connections, "tables",
             "VL arbitration tables of the links: configured, as [vl_arbitration] sets them; "
             "connections, which fill entries beside those as they are accepted and empty them as "
             "they end",
             {{"configured", false}, {"connections", true}}),
      key(&K::high_vls, "high_vls",
          "VLs whose connections fill the high-priority table, with tables = \"connections\"; "
          "those of the others fill the low-priority one (default: [])")
          .range(0, 14),
      choice(&K::entries_end, "entries_end",
             "when an entry that connections have filled is free again: with-connections, when "
             "those that weigh in it have ended; with-last-of-vl, when all of its VL have "
             "(default: with-connections)",
             {{"with-connections", EntriesEnd::with_connections},
              {"with-last-of-vl", EntriesEnd::with_last_of_vl}})};
}

const Registration<fabric::AdmissionFactory> registration(
    fabric::admission_registry(),
    {"link-by-link",
     "a probe reserves bandwidth on each link of the route, or is rejected; the last packet "
     "releases it",
     "yan2008admission; yan2012, section 3.2"},
    link_by_link_keys(), [](const File& file, const fabric::AdmissionContext& context) {
      LinkByLinkSettings made = *file;
      made.budgets = read_budgets(file);
      made.tables = read_tables(file, context);
      return std::make_unique<LinkByLink>(std::move(made), context);
    });

}  // namespace

}  // namespace weir::admission
