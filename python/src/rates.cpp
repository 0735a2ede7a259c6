#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <fmt/format.h>

#include <cmath>

#include "bindings.hpp"
#include "waiting.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/run/rate_calculation.hpp"
#include "weir/rates/algorithm.hpp"

namespace weir::python {

namespace py = pybind11;
using rates::FlowId;
using rates::Fraction;

namespace {

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

/// Flows as arrays: `links` holds the paths one behind the other, `lengths` how long each is.
struct Flows {
  Array<std::int64_t> links;
  Array<std::int64_t> lengths;
  Array<double> capacities;
  Array<double> weights;             ///< one for each flow
  Array<std::int64_t> applications;  ///< one for each flow, numbered from 0
};

std::vector<Fraction> fractions(const Array<double>& values, const char* name) {
  std::vector<Fraction> all;
  for (py::ssize_t i = 0; i < values.size(); ++i) {
    const double value = values.data()[i];
    if (!std::isfinite(value)) throw InputError(name, "must be finite numbers");
    all.push_back(Fraction::decimal(value));
  }
  return all;
}

rates::FlowSet flow_set(const Flows& flows) {
  rates::FlowSetBuilder builder(fractions(flows.capacities, "capacities"));
  const std::vector<Fraction> weights = fractions(flows.weights, "weights");
  const auto count = static_cast<std::size_t>(flows.lengths.size());
  builder.reserve(count, static_cast<std::size_t>(flows.links.size()));
  const std::int64_t* next = flows.links.data();
  std::vector<rates::LinkId> path;
  for (std::size_t f = 0; f < count; ++f) {
    path.clear();
    for (std::int64_t i = 0; i < flows.lengths.data()[f]; ++i, ++next) {
      if (*next < 0 || *next >= flows.capacities.size()) {
        throw InputError("paths", fmt::format("flow {} crosses link {}, and there are {}", f, *next,
                                              flows.capacities.size()));
      }
      path.emplace_back(static_cast<std::uint32_t>(*next));
    }
    builder.add(path, weights[f],
                rates::ApplicationId(static_cast<std::uint32_t>(flows.applications.data()[f])));
  }
  return builder.build();
}

py::dict calculate(const Flows& flows, const std::string& algorithm, std::uint64_t seed) {
  const rates::FlowSet set = flow_set(flows);
  rates::Assignment assignment;
  without_lock([&](const std::atomic<bool>&) {
    assignment = experiment::calculate_rates(set, algorithm, seed);
  });
  const std::size_t count = set.flow_count();
  py::array_t<double> rate(static_cast<py::ssize_t>(count));
  py::array_t<double> normalized(static_cast<py::ssize_t>(count));
  py::array_t<std::int64_t> bottleneck(static_cast<py::ssize_t>(count));
  py::list exact;
  for (std::size_t f = 0; f < count; ++f) {
    const FlowId flow(f);
    const Fraction found = assignment.rate(set, flow);
    rate.mutable_data()[f] = found.value();
    normalized.mutable_data()[f] = assignment.normalized_rate(flow).value();
    bottleneck.mutable_data()[f] = assignment.bottleneck[f].value;
    exact.append(found.to_string());
  }
  py::dict out;
  out["rate"] = rate;
  out["normalized"] = normalized;
  out["bottleneck"] = bottleneck;
  out["exact"] = exact;
  out["levels"] = assignment.levels.size();
  out["completion_time"] = rates::completion_time(assignment).value();
  return out;
}

}  // namespace

void add_rates(py::module_& module) {
  module.def(
      "calculate_rates",
      [](const Array<std::int64_t>& links, const Array<std::int64_t>& lengths,
         const Array<double>& capacities, const Array<double>& weights,
         const Array<std::int64_t>& applications, const std::string& algorithm,
         std::uint64_t seed) {
        return calculate({links, lengths, capacities, weights, applications}, algorithm, seed);
      },
      py::arg("links"), py::arg("lengths"), py::arg("capacities"), py::arg("weights"),
      py::arg("applications"), py::arg("algorithm"), py::arg("seed"));
}

}  // namespace weir::python
