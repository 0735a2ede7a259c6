#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/config.hpp"
#include "weir/fabric/hooks/selection.hpp"

namespace weir::selection::test {

inline std::unique_ptr<fabric::SelectionFunction> make_selection(const std::string& name,
                                                                 const std::string& toml = "") {
  const auto& model = fabric::selection_registry().find(name, {}, "selection");
  return model.make(Settings::check(parse_toml(toml, "test"), model.info.parameters, "selection"));
}

/// What a switch would see, by local port. Ports that are not set have 0.
struct Outputs {
  std::vector<routing::Candidate> allowed;
  std::map<std::uint16_t, std::int64_t> credits;
  std::map<std::uint16_t, std::int64_t> adapted_credits;
  std::map<std::uint16_t, std::int64_t> queued;
  std::int64_t capacity = 100;
  std::int64_t message = 4096;
  /// The default route; the first allowed output unless it is named, which is not allowed then.
  std::optional<routing::Candidate> failed_default = {};
};

/// A packet at a switch.
class MockView : public fabric::SelectionView {
 public:
  MockView(const Outputs& outputs, RandomStream& stream, const fabric::Packet& the_packet)
      : SelectionView(the_packet, SwitchId(0),
                      outputs.failed_default.value_or(outputs.allowed.front()), stream),
        outputs_(outputs) {}

  [[nodiscard]] std::span<const routing::Candidate> candidates() override {
    return outputs_.allowed;
  }
  [[nodiscard]] std::int64_t credits(routing::Candidate output) const override {
    return output == outputs_.failed_default ? -1 : at(outputs_.credits, output);
  }
  [[nodiscard]] std::int64_t adapted_credits(routing::Candidate output) const override {
    return at(outputs_.adapted_credits, output);
  }
  [[nodiscard]] std::int64_t capacity(routing::Candidate) const override {
    return outputs_.capacity;
  }
  [[nodiscard]] std::int64_t queued(routing::Candidate output) const override {
    return at(outputs_.queued, output);
  }
  [[nodiscard]] std::int64_t message_bytes() const override { return outputs_.message; }

 private:
  static std::int64_t at(const std::map<std::uint16_t, std::int64_t>& values,
                         routing::Candidate output) {
    const auto found = values.find(output.port);
    return found == values.end() ? 0 : found->second;
  }

  const Outputs& outputs_;
};

/// How often each port was taken in `draws` decisions.
inline std::map<std::uint16_t, int> draw(fabric::SelectionFunction& selection,
                                         const Outputs& outputs, int draws,
                                         const fabric::Packet& packet = {}) {
  RandomStream random(7, 3, StreamPurpose::selection);
  std::map<std::uint16_t, int> taken;
  for (int i = 0; i < draws; ++i) {
    MockView view(outputs, random, packet);
    ++taken[selection.select(view).output.port];
  }
  return taken;
}

}  // namespace weir::selection::test
