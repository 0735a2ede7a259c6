#include "listener.hpp"

#include <pybind11/numpy.h>

#include <utility>

namespace weir::python {

namespace py = pybind11;

Listener::Listener(py::object on_sample, py::object on_deliveries)
    : on_sample_(std::move(on_sample)),
      on_deliveries_(std::move(on_deliveries)),
      has_samples_(!on_sample_.is_none()),
      has_deliveries_(!on_deliveries_.is_none()) {
  if (has_deliveries_) batch_.reserve(kBatch);
}

Listener::~Listener() {
  const py::gil_scoped_acquire acquired;
  on_sample_ = py::object();
  on_deliveries_ = py::object();
}

void Listener::flush() {
  if (batch_.empty()) return;
  const py::gil_scoped_acquire acquired;
  const py::array_t<Delivery> rows(static_cast<py::ssize_t>(batch_.size()), batch_.data());
  batch_.clear();
  on_deliveries_(rows);
}

void Listener::on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                            bool in_order) {
  if (!has_deliveries_ || packet.is_ack()) return;
  Delivery made;
  made.time_ns = to_nanoseconds(now);
  made.latency_ns = to_nanoseconds(now - Time(message.generated));
  made.network_latency_ns = to_nanoseconds(now - Time(packet.injected));
  made.source = packet.source;
  made.destination = packet.destination;
  made.bytes = packet.size;
  made.traffic_class = packet.traffic_class;
  made.hops = packet.hops;
  made.in_order = in_order;
  batch_.push_back(made);
  if (batch_.size() == kBatch) flush();
}

void Listener::on_sample(const fabric::Fabric&, Time now) {
  flush();
  if (!has_samples_) return;
  const py::gil_scoped_acquire acquired;
  on_sample_(to_nanoseconds(now));
}

void add_deliveries() {
  PYBIND11_NUMPY_DTYPE(Delivery, time_ns, latency_ns, network_latency_ns, source, destination,
                       bytes, traffic_class, hops, in_order);
}

}  // namespace weir::python
