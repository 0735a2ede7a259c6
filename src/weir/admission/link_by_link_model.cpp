#include <utility>

#include <fmt/format.h>

#include "weir/admission/link_by_link.hpp"

namespace weir::admission {

namespace {

std::vector<double> read_budgets(const Settings& settings, bool is_one_for_all) {
  if (!settings.has("budgets"))
    return is_one_for_all ? std::vector<double>{1.0} : std::vector<double>{1.0 / 3, 2.0 / 3};
  std::vector<double> budgets = settings.reals("budgets");
  if (is_one_for_all && budgets.size() != 1) {
    throw settings.error(
        "budgets",
        fmt::format("must be one share with budget = \"one-for-all\", not {}", budgets.size()));
  }
  if (budgets.empty() || budgets.size() > 16) {
    throw settings.error("budgets", fmt::format("must be 1 to 16 shares, one for each service "
                                                "level from 0 on, not {}",
                                                budgets.size()));
  }
  double sum = 0;
  for (const double one : budgets) sum += one;
  if (sum > 1 + 1e-9) {
    throw settings.error("budgets",
                         fmt::format("add up to {:.6g}; a link has no more than 1", sum));
  }
  return budgets;
}

std::optional<fabric::ConnectionTables::Rules> read_tables(
    const Settings& settings, const fabric::AdmissionContext& context) {
  if (settings.text("tables") == "configured") {
    for (const char* key : {"high_vls", "entries_end"}) {
      if (settings.has(key))
        throw settings.error(key, "belongs to admission.tables = \"connections\"");
    }
    return std::nullopt;
  }
  fabric::ConnectionTables::Rules rules;
  rules.configured = context.arbitration;
  if (settings.has("high_vls")) {
    for (const std::int64_t vl : settings.integers("high_vls")) rules.high_vls |= 1U << vl;
  }
  if (settings.has("entries_end") && settings.text("entries_end") == "with-last-of-vl")
    rules.end = fabric::EntriesEnd::with_last_of_vl;
  return rules;
}

const Registration<fabric::AdmissionFactory> registration(
    fabric::admission_registry(),
    {"link-by-link",
     "a probe reserves bandwidth on each link of the route, or is rejected; the last packet "
     "releases it",
     "yan2008admission; yan2012, section 3.2",
     {Parameter::of(ParameterType::text, "budget",
                    "what a budget covers: per-service-level, what each level may reserve of a "
                    "link; one-for-all, what all may together (simple sum)")
          .by_default("per-service-level")
          .one_of({"per-service-level", "one-for-all"}),
      Parameter::of(ParameterType::reals, "budgets",
                    "reservable shares of every link for service level 0, 1, ..., at most 1 in "
                    "all; with one-for-all a single one (default: [1/3, 2/3]; [1])")
          .range(0, 1),
      Parameter::of(ParameterType::time, "retry",
                    "time after which a rejected connection asks again")
          .by_default("100 us")
          .at_least(1),
      Parameter::of(ParameterType::integer, "attempts",
                    "requests after which a connection is given up and its messages are refused; "
                    "0: it goes on asking")
          .by_default("0")
          .range(0, 1'000'000'000),
      Parameter::of(ParameterType::text, "tables",
                    "VL arbitration tables of the links: configured, as [vl_arbitration] sets "
                    "them; connections, which fill entries beside those as they are accepted and "
                    "empty them as they end")
          .by_default("configured")
          .one_of({"configured", "connections"}),
      Parameter::of(ParameterType::integers, "high_vls",
                    "VLs whose connections fill the high-priority table, with tables = "
                    "\"connections\"; those of the others fill the low-priority one (default: [])")
          .range(0, 14),
      Parameter::of(ParameterType::text, "entries_end",
                    "when an entry that connections have filled is free again: with-connections, "
                    "when those that weigh in it have ended; with-last-of-vl, when all of its VL "
                    "have (default: with-connections)")
          .one_of({"with-connections", "with-last-of-vl"})}},
    [](const Settings& settings, const fabric::AdmissionContext& context) {
      LinkByLinkSettings made;
      made.is_one_for_all = settings.text("budget") == "one-for-all";
      made.budgets = read_budgets(settings, made.is_one_for_all);
      made.retry = settings.time("retry");
      made.attempts = settings.integer("attempts");
      made.tables = read_tables(settings, context);
      return std::make_unique<LinkByLink>(std::move(made), context);
    });

}  // namespace

}  // namespace weir::admission
