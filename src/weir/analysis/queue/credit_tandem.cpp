#include "weir/analysis/credit_tandem.hpp"

#include "weir/analysis/queue/parameters.hpp"
#include "weir/analysis/tandem_simulation.hpp"

namespace weir::analysis {
namespace {

struct TandemSettings : CreditTandem {
  ChainMethod method = ChainMethod::automatic;
  double credit_delay = 0;
};

class TandemModel final : public QueueModel {
 public:
  explicit TandemModel(const TandemSettings& tandem) : tandem_(tandem) { tandem_.check(); }

  [[nodiscard]] std::vector<Measure> solve() const override {
    const TandemMeasures out = tandem_.solve(tandem_.method);
    return {
        {"queue_length", "", out.mean_length},       {"queue_length", "1", out.mean_length_1},
        {"queue_length", "2", out.mean_length_2},    {"blocking_probability", "", out.blocking},
        {"queue_throughput", "", out.throughput},    {"response_time", "", out.response_time},
        {"credit_stall", "", out.credit_stall},      {"busy_probability", "1", out.utilization_1},
        {"busy_probability", "2", out.utilization_2}};
  }
  [[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan& plan) const override {
    return analysis::simulate(tandem_, tandem_.credit_delay, plan);
  }
  [[nodiscard]] std::vector<std::string> notes(bool simulates) const override {
    if (tandem_.credit_delay == 0) return {};
    return {simulates
                ? "credit_delay is in the simulation only: the chain has credits back at once, "
                  "so the error measure shows what the delay costs, too"
                : "credit_delay is for the simulation (simulate): the chain has credits back "
                  "at once"};
  }

 private:
  TandemSettings tandem_;
};

Keys<TandemSettings> tandem_keys() {
  using K = TandemSettings;
  return {arrival_rate_key<K>(),
          key(&K::rate_1, "rate_1", "service rate of the upstream station").required(),
          key(&K::rate_2, "rate_2", "service rate of the downstream station").required(),
          key(&K::capacity_1, "capacity_1",
              "packets that the upstream station holds, the one in service included")
              .required(),
          key(&K::capacity_2, "capacity_2",
              "packets that the downstream station holds, the one in service included: the credits")
              .required(),
          choice(&K::method, "method",
                 "method that solves the chain; automatic: elimination up to 400 states",
                 {{"automatic", ChainMethod::automatic},
                  {"elimination", ChainMethod::elimination},
                  {"matrix-analytic", ChainMethod::matrix_analytic},
                  {"sparse", ChainMethod::sparse}}),
          key(&K::credit_delay, "credit_delay",
              "time until a credit is back, in the simulation; in the chain it is 0")
              .at_least(0)};
}

const Registration<QueueModelFactory> kCreditTandem(
    queue_registry(),
    {"credit-tandem", "Two stations with credits between them, as a Markov chain",
     "yan2006credit; yan2012, section 4.2"},
    tandem_keys(),
    [](const Checked<TandemSettings>& tandem) { return std::make_unique<TandemModel>(*tandem); });

}  // namespace
}  // namespace weir::analysis
