#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/fabric/hooks/hooks.hpp"
#include "weir/traffic/arrival.hpp"
#include "weir/traffic/pattern.hpp"
#include "weir/traffic/size.hpp"

namespace weir::traffic {

/// A phase with the mean time between messages (ps) that its load means for one host.
struct Window {
  Time start;
  Time stop;
  double interval = 0;
};

/// Messages of one host drawn from an arrival process, a pattern and a size distribution.
/// A phase that is already running when the first message is asked for begins then.
class GeneratedSource final : public fabric::MessageSource {
 public:
  struct Parts {
    std::unique_ptr<ArrivalProcess> arrivals;
    std::shared_ptr<const Pattern> pattern;
    std::shared_ptr<const SizeDistribution> sizes;
    std::shared_ptr<const std::vector<Window>> windows;
  };

  /// `draw` says who the source is; `limit` is the largest number of messages.
  GeneratedSource(Parts parts, Draw draw, std::uint64_t limit, std::uint64_t seed,
                  std::uint32_t entity);

  std::optional<fabric::MessageRequest> next(Time now) override;
  void withdraw() override;
  [[nodiscard]] bool closed_loop() const override { return closed_loop_; }
  [[nodiscard]] bool has_checkpoints() const override { return parts_.arrivals->has_checkpoints(); }
  void checkpoint(StateArchive& state) override;

 private:
  /// Time::max() when the source has ended.
  Time next_time(Time now);

  Parts parts_;
  Draw draw_;
  std::uint64_t limit_;
  RandomStream arrival_random_;
  RandomStream destination_random_;
  RandomStream size_random_;
  std::size_t window_ = 0;
  bool is_started_ = false;
  bool closed_loop_;
};

}  // namespace weir::traffic
