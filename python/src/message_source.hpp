#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "random.hpp"
#include "weir/base/random.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/topology/graph.hpp"

namespace weir::python {

/// Numbers of hosts by name.
using HostNames = std::unordered_map<std::string, std::uint32_t>;

/// Messages of one host that Python code yields: messages(host, rng, now) gives an iterator of
/// (at, destination, size). A generator gets the present time as the value of each `yield`.
class PythonSource final : public fabric::MessageSource {
 public:
  struct Host {
    HostId id;
    std::size_t count = 0;  ///< of all hosts
    std::shared_ptr<const HostNames> names;
  };

  PythonSource(pybind11::object messages, Host host, RandomStream random, bool is_closed_loop);
  PythonSource(const PythonSource&) = delete;
  PythonSource& operator=(const PythonSource&) = delete;
  ~PythonSource() override;

  std::optional<fabric::MessageRequest> next(Time now) override;
  [[nodiscard]] bool closed_loop() const override { return is_closed_loop_; }

 private:
  /// The next thing that was yielded, or nothing at the end.
  [[nodiscard]] std::optional<pybind11::object> yielded(Time now);
  [[nodiscard]] fabric::MessageRequest request(const pybind11::object& yielded, Time now) const;
  [[nodiscard]] HostId destination(pybind11::handle value) const;
  [[nodiscard]] std::string who() const;

  pybind11::object messages_;  ///< the function; once begun, its iterator
  Host host_;
  RandomStream random_;
  std::shared_ptr<Random> lent_;  ///< what Python has of it
  bool is_closed_loop_;
  bool is_begun_ = false;
  pybind11::object send_;  ///< of a generator
};

}  // namespace weir::python
