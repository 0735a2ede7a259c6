#include "weir/traffic/io_times.hpp"

#include <cmath>

namespace weir::traffic {

IoTimes::IoTimes(const BurstLaw& law, RandomStream random) : law_(law), random_(random) {
  const bool in_burst = random_.unit() * law_.cycle() >= law_.idle.mean();
  if (in_burst) {
    // An exponential gap has no memory: what is left of it is like a new one.
    left_ = rest_of_burst();
    time_ = random_.exponential(law_.gap);
  } else {
    time_ = law_.idle.draw_by_length(random_) * random_.unit();
    left_ = draw_burst(law_.burst.draw(random_));
  }
}

double IoTimes::next() {
  const double at = time_;
  if (--left_ > 0) {
    time_ += random_.exponential(law_.gap);
  } else {
    time_ += law_.idle.draw(random_);
    left_ = draw_burst(law_.burst.draw(random_));
  }
  return at;
}

std::int64_t IoTimes::draw_burst(double length) {
  return static_cast<std::int64_t>(std::floor(length + random_.unit()));
}

/// I/Os left of the burst in whose gaps a random point falls: a burst is as likely as it has gaps.
std::int64_t IoTimes::rest_of_burst() {
  while (true) {
    const double length = law_.burst.draw_by_length(random_);
    const std::int64_t gaps = draw_burst(length) - 1;
    if (random_.unit() * length >= static_cast<double>(gaps)) continue;
    return 1 + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(gaps)));
  }
}

}  // namespace weir::traffic
