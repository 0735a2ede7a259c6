#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "weir/fabric/hooks/hooks.hpp"

namespace weir::python {

/// A data packet that has arrived, as a row of a structured array.
struct Delivery {
  double time_ns = 0;
  double latency_ns = 0;          ///< since its message was generated
  double network_latency_ns = 0;  ///< since its first bit left its host
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t bytes = 0;  ///< on the wire
  std::uint8_t traffic_class = 0;
  std::uint8_t hops = 0;  ///< switches
  bool in_order = false;
};

/// Tells Python of samples and deliveries: of deliveries in batches, when many have come together,
/// before each sample, and whenever a step ends. Called without the interpreter lock.
class Listener final : public fabric::Observer {
 public:
  /// Each may be None.
  Listener(pybind11::object on_sample, pybind11::object on_deliveries);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() override;

  [[nodiscard]] bool listens() const { return has_samples_ || has_deliveries_; }
  /// Hands over what has come since the last batch.
  void flush();

  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override;
  void on_sample(const fabric::Fabric& fabric, Time now) override;

 private:
  static constexpr std::size_t kBatch = 1 << 14;

  pybind11::object on_sample_;
  pybind11::object on_deliveries_;
  bool has_samples_;
  bool has_deliveries_;
  std::vector<Delivery> batch_;
};

/// Registers the rows' type.
void add_deliveries();

}  // namespace weir::python
