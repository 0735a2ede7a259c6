#include "weir/analysis/credit_tandem.hpp"

#include "weir/analysis/queue/parameters.hpp"
#include "weir/analysis/tandem_simulation.hpp"

namespace weir::analysis {
namespace {

ChainMethod method_of(const std::string& name) {
  if (name == "elimination") return ChainMethod::elimination;
  if (name == "matrix-analytic") return ChainMethod::matrix_analytic;
  return name == "sparse" ? ChainMethod::sparse : ChainMethod::automatic;
}

class TandemModel final : public QueueModel {
 public:
  explicit TandemModel(const Settings& s)
      : tandem_{s.real("arrival_rate"), s.real("rate_1"), s.real("rate_2"), s.integer("capacity_1"),
                s.integer("capacity_2")},
        method_(method_of(s.text("method"))),
        credit_delay_(s.real("credit_delay")) {
    tandem_.check();
  }

  [[nodiscard]] std::vector<Measure> solve() const override {
    const TandemMeasures out = tandem_.solve(method_);
    return {
        {"queue_length", "", out.mean_length},       {"queue_length", "1", out.mean_length_1},
        {"queue_length", "2", out.mean_length_2},    {"blocking_probability", "", out.blocking},
        {"queue_throughput", "", out.throughput},    {"response_time", "", out.response_time},
        {"credit_stall", "", out.credit_stall},      {"busy_probability", "1", out.utilization_1},
        {"busy_probability", "2", out.utilization_2}};
  }
  [[nodiscard]] std::optional<std::vector<SimulatedMeasure>> simulate(
      const SimulationPlan& plan) const override {
    return analysis::simulate(tandem_, credit_delay_, plan);
  }
  [[nodiscard]] std::vector<std::string> notes(bool simulates) const override {
    if (credit_delay_ == 0) return {};
    return {simulates
                ? "credit_delay is in the simulation only: the chain has credits back at once, "
                  "so the error measure shows what the delay costs, too"
                : "credit_delay is for the simulation (simulate): the chain has credits back "
                  "at once"};
  }

 private:
  CreditTandem tandem_;
  ChainMethod method_;
  double credit_delay_;
};

Parameter rate(const char* name, const char* help) {
  return Parameter::of(ParameterType::real, name, help).required();
}
Parameter packets(const char* name, const char* help) {
  return Parameter::of(ParameterType::integer, name, help).required();
}

const Registration<QueueModelFactory> kCreditTandem(
    queue_registry(),
    {"credit-tandem",
     "Two stations with credits between them, as a Markov chain",
     "yan2006credit; yan2012, section 4.2",
     {arrival_rate_key(), rate("rate_1", "service rate of the upstream station"),
      rate("rate_2", "service rate of the downstream station"),
      packets("capacity_1", "packets that the upstream station holds, the one in service included"),
      packets(
          "capacity_2",
          "packets that the downstream station holds, the one in service included: the credits"),
      Parameter::of(ParameterType::text, "method",
                    "method that solves the chain; automatic: elimination up to 400 states")
          .by_default("automatic")
          .one_of({"automatic", "elimination", "matrix-analytic", "sparse"}),
      Parameter::of(ParameterType::real, "credit_delay",
                    "time until a credit is back, in the simulation; in the chain it is 0")
          .by_default("0.0")
          .at_least(0)}},
    [](const Settings& settings) { return std::make_unique<TandemModel>(settings); });

}  // namespace
}  // namespace weir::analysis
