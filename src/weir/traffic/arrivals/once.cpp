#include "weir/base/state_archive.hpp"
#include "weir/traffic/arrival.hpp"

namespace weir::traffic {
namespace {

class Once final : public ArrivalProcess {
 public:
  Once(std::int64_t count, Time within) : count_(count), within_(within) {}

  void start(Time origin, double, RandomStream& random) override {
    at_ = origin;
    if (within_.count > 0) {
      at_ = later(at_, random.unit() * static_cast<double>(within_.count));
    }
    left_ = count_;
  }

  Time next(Time, RandomStream&) override { return left_-- > 0 ? at_ : Time::max(); }
  [[nodiscard]] bool rated() const override { return false; }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(StateArchive& state) override { state(at_, left_); }

 private:
  std::int64_t count_;
  Time within_;
  Time at_;
  std::int64_t left_ = 0;
};

struct OnceKeys {
  std::int64_t count = 1;
  Time within;
};

const ArrivalRegistration kOnce(
    arrival_registry(),
    {"once", "A burst: all messages at one instant, once in every phase",
     "ferrer2012, section 7.4"},
    Keys<OnceKeys>{
        key(&OnceKeys::count, "count", "number of messages of the burst").range(1, 1e12),
        key(&OnceKeys::within, "within",
            "time after the start in which the instant of the burst is random; 0: at the start")},
    [](const Checked<OnceKeys>& file, const ArrivalContext&) {
      return std::make_unique<Once>(file->count, file->within);
    });

}  // namespace
}  // namespace weir::traffic
