#include "weir/rates/protocols.hpp"

namespace weir::rates {
namespace {

/// Parties are applications.
class Dafa : public BoundProtocol<DafaProtocol<double>> {
 public:
  using BoundProtocol::BoundProtocol;
  [[nodiscard]] std::size_t party_count() const override { return plane_.application_count(); }
  [[nodiscard]] std::uint32_t party_of(FlowIndex f) const override { return plane_.application(f); }
  [[nodiscard]] Time found_at(FlowIndex f) const override {
    return protocol_.application(plane_.application(f)).informed_at;
  }
  [[nodiscard]] std::uint32_t iterations() const override { return protocol_.leader().iterations; }
  [[nodiscard]] std::optional<Time> leader_time() const override {
    return protocol_.leader().found_at - protocol_.leader().began_at;
  }
};

class DafaWithRounds final : public Dafa {
 public:
  using Dafa::Dafa;
  [[nodiscard]] std::uint32_t rounds() const override { return protocol_.calculations(); }
};

/// One calculation, when all applications are there.
class DafaStar final : public Dafa {
 public:
  using Dafa::Dafa;
  void start(std::uint32_t) override {
    if (++started_ < plane_.application_count()) return;
    protocol_.know_all();
    protocol_.begin_calculation();
  }
  void checkpoint(StateArchive& state) override {
    Dafa::checkpoint(state);
    state(started_);
  }

 private:
  std::size_t started_ = 0;
};

struct DafaKeys : DafaSettings {
  std::string leader_name;
};

Keys<DafaKeys> leader_keys() {
  return {key(&DafaKeys::leader_name, "leader",
              "switch or host that goes through the iterations (default: the last switch; in trees "
              "a root)")};
}

Keys<DafaKeys> dafa_keys() {
  return leader_keys().with(
      {key(&DafaKeys::barrier, "barrier",
           "time from the last answer to an application's announcements until its nodes know of "
           "it")});
}

DafaSettings with_leader(const Checked<DafaKeys>& settings, const ProtocolContext& context) {
  DafaSettings out = *settings;
  out.leader = element_of(settings, &DafaKeys::leader_name, context);
  return out;
}

const Registration<ProtocolModel> star(
    protocol_registry(),
    {"dafa-star",
     "distributed application-fair algorithm for applications that are known beforehand",
     "zdornov2009, section 4.3.3", leader_keys().parameters()},
    {"afa", false, true,
     of_settings(leader_keys(),
                 [](const Checked<DafaKeys>& settings, const ProtocolContext& context) {
                   return make_dafa_star(context, with_leader(settings, context).leader);
                 })});

const Registration<ProtocolModel> with_rounds(
    protocol_registry(),
    {"dafa", "distributed application-fair algorithm, anew whenever an application starts or ends",
     "zdornov2009, section 4.3.3", dafa_keys().parameters()},
    {"afa", true, true,
     of_settings(dafa_keys(),
                 [](const Checked<DafaKeys>& settings, const ProtocolContext& context) {
                   return make_dafa(context, with_leader(settings, context));
                 })});

}  // namespace

std::unique_ptr<RateProtocol> make_dafa_star(const ProtocolContext& context, ElementIndex leader) {
  return std::make_unique<DafaStar>(context, DafaSettings{leader, Time()});
}

std::unique_ptr<RateProtocol> make_dafa(const ProtocolContext& context,
                                        const DafaSettings& settings) {
  return std::make_unique<DafaWithRounds>(context, settings);
}

}  // namespace weir::rates
