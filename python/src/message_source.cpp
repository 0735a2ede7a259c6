#include "message_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "values.hpp"

namespace weir::python {

namespace py = pybind11;

namespace {

constexpr const char* kMessages = "messages";

Bytes size_of(py::handle value, const std::string& who) {
  if (PyUnicode_Check(value.ptr())) {
    try {
      return parse_bytes(std::string(py::str(value)));
    } catch (const std::invalid_argument& problem) {
      throw InputError(kMessages, who + ": size: " + problem.what());
    }
  }
  const Py_ssize_t size = PyNumber_AsSsize_t(value.ptr(), nullptr);
  if (size == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return Bytes(size);
}

}  // namespace

PythonSource::PythonSource(py::object messages, Host host, RandomStream random, bool is_closed_loop)
    : messages_(std::move(messages)),
      host_(std::move(host)),
      random_(random),
      lent_(std::make_shared<Random>(random_)),
      is_closed_loop_(is_closed_loop) {}

PythonSource::~PythonSource() {
  const py::gil_scoped_acquire acquired;
  lent_->end();
  send_ = py::object();
  messages_ = py::object();
}

std::optional<fabric::MessageRequest> PythonSource::next(Time now) {
  const py::gil_scoped_acquire acquired;
  const std::optional<py::object> next = yielded(now);
  if (!next) return std::nullopt;
  return request(*next, now);
}

std::optional<py::object> PythonSource::yielded(Time now) {
  const double present = to_nanoseconds(now);
  const bool is_first = !std::exchange(is_begun_, true);
  if (is_first) {
    messages_ = messages_(host_.id.value, lent_, present).attr("__iter__")();
    if (PyGen_Check(messages_.ptr())) send_ = messages_.attr("send");
  }
  PyObject* next = send_ && !is_first ? PyObject_CallFunction(send_.ptr(), "d", present)
                                      : PyIter_Next(messages_.ptr());
  if (next != nullptr) return py::reinterpret_steal<py::object>(next);
  if (PyErr_Occurred() == nullptr) return std::nullopt;
  if (PyErr_ExceptionMatches(PyExc_StopIteration) == 0) throw py::error_already_set();
  PyErr_Clear();
  return std::nullopt;
}

fabric::MessageRequest PythonSource::request(const py::object& yielded, Time now) const {
  if (!PyTuple_Check(yielded.ptr()) || PyTuple_Size(yielded.ptr()) != 3) {
    throw InputError(kMessages, who() + " must yield (at, destination, size)");
  }
  const auto parts = py::reinterpret_borrow<py::tuple>(yielded);
  fabric::MessageRequest made;
  made.at = parts[0].is_none() ? now : std::max(now, to_time(parts[0], kMessages));
  made.destination = destination(parts[1]);
  made.size = size_of(parts[2], who());
  if (made.size.count < 1) throw InputError(kMessages, who() + ": a message has at least 1 byte");
  return made;
}

HostId PythonSource::destination(py::handle value) const {
  std::size_t index = host_.count;
  if (PyUnicode_Check(value.ptr())) {
    const auto named = host_.names->find(py::str(value));
    if (named != host_.names->end()) index = named->second;
  } else {
    const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), nullptr);
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (number >= 0) index = static_cast<std::size_t>(number);
  }
  if (index < host_.count && index != host_.id.index()) return HostId(index);
  throw InputError(kMessages, fmt::format("{} cannot send to {} of {} hosts", who(),
                                          std::string(py::str(value)), host_.count));
}

std::string PythonSource::who() const { return fmt::format("host {}", host_.id.value); }

}  // namespace weir::python
