#include "bindings.hpp"
#include "weir/base/error.hpp"

namespace weir::python {
namespace {

namespace py = pybind11;

void raise(const char* kind, const py::object& error) {
  PyErr_SetObject(py::module_::import("weir.errors").attr(kind).ptr(), error.ptr());
}

py::object one_error(const InputError& error) {
  const SourcePosition& position = error.position();
  const auto or_none = [](int number) -> py::object {
    return number == 0 ? py::object(py::none()) : py::int_(number);
  };
  return py::module_::import("weir.errors")
      .attr("InputError")(
          error.what(), position.file ? py::object(py::str(*position.file)) : py::none(),
          or_none(position.line), or_none(position.column), error.key(), error.message());
}

py::object input_error(const InputError& error) {
  py::object made = one_error(error);
  const std::vector<InputError> problems = error.all();
  if (problems.size() == 1) return made;
  py::list list;
  for (const InputError& one : problems) list.append(one_error(one));
  made.attr("problems") = list;
  return made;
}

}  // namespace

void add_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise("InputError", input_error(error));
    } catch (const RunError& error) {
      raise("RunError", py::module_::import("weir.errors").attr("RunError")(py::str(error.what())));
    }
  });
}

}  // namespace weir::python
