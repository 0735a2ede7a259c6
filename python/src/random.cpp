#include "random.hpp"

#include <memory>
#include <stdexcept>

namespace weir::python {

namespace py = pybind11;

std::uint64_t Random::below(std::uint64_t bound) {
  if (bound == 0) throw std::invalid_argument("there is no number from 0 to -1");
  return stream().below(bound);
}

RandomStream& Random::stream() {
  if (stream_ == nullptr) throw std::runtime_error("these random numbers were lent for one call");
  return *stream_;
}

void add_random(py::module_& module) {
  py::class_<Random, std::shared_ptr<Random>>(
      module, "Random", "Random numbers of the run: the same for the same seed.")
      .def("unit", &Random::unit, "Uniform, from 0 to below 1.")
      .def("below", &Random::below, py::arg("bound"), "A uniform integer from 0 to bound - 1.")
      .def("exponential", &Random::exponential, py::arg("mean"), "Exponential with this mean.");
}

}  // namespace weir::python
