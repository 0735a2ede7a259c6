#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "bindings.hpp"
#include "experiment.hpp"
#include "records.hpp"
#include "values.hpp"
#include "waiting.hpp"
#include "weir/experiment/campaign/campaign.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/experiment/config/read_file.hpp"
#include "weir/report/results/check.hpp"
#include "weir/report/results/results_writer.hpp"

namespace weir::python {

namespace py = pybind11;
namespace fs = std::filesystem;
using experiment::CampaignRun;
using experiment::RunOutcome;
using experiment::RunRecord;

ConfigTable read(py::handle experiment) {
  if (py::hasattr(experiment, "items")) {
    return experiment::complete_experiment(to_table(experiment, place(kDict), ""), kDict);
  }
  const py::object path = py::module_::import("os").attr("fspath")(experiment);
  return experiment::read_experiment(py::str(path));
}

std::vector<ConfigTable> overrides(const py::dict& values) {
  const SourcePosition position = place("set");
  std::vector<ConfigTable> all;
  for (const auto& [key, value] : values) {
    const std::string name = py::str(key);
    ConfigTable one = experiment::nested(name, to_config(value, position, name), position);
    experiment::spell_out_models(one);
    all.push_back(std::move(one));
  }
  return all;
}

ConfigTable read(py::handle experiment, const py::dict& values) {
  ConfigTable table = read(experiment);
  for (const ConfigTable& over : overrides(values)) experiment::lay_over(table, over);
  return table;
}

namespace {

struct RunChoices {
  unsigned jobs = 0;
  bool again = false;
  bool has_report = true;
};

/// An experiment with what was laid over it: all its runs.
class Plan {
 public:
  Plan(py::handle experiment, const py::dict& set)
      : file_(report::checked_experiment(read(experiment), overrides(set))),
        variants_(file_.variants()) {}

  [[nodiscard]] std::size_t run_count() const { return variants_.size(); }
  [[nodiscard]] py::dict resolved() const { return to_python(report::resolved_experiment(file_)); }

  [[nodiscard]] Records run(unsigned jobs) const {
    experiment::RunOptions options;
    options.jobs = jobs;
    std::vector<RunOutcome> outcomes;
    with_places([&](const std::atomic<bool>& interrupt) {
      options.interrupt = &interrupt;
      outcomes = experiment::run_all(variants_, options, {});
    });
    for (RunOutcome& outcome : outcomes) {
      if (outcome.record) order(outcome.record->result);
    }
    return records_of(std::move(outcomes));
  }

  [[nodiscard]] Records run_into(const std::string& folder, const RunChoices& choices) const {
    const experiment::Configuration first = experiment::resolve(variants_.front().table);
    const report::ResultsWriter writer(first, variants_.front(), folder);
    std::vector<CampaignRun> runs;
    std::optional<experiment::ResultsStore> store;
    with_places([&](const std::atomic<bool>& interrupt) {
      store.emplace(report::results_file(folder), experiment::ResultsStore::Mode::create);
      experiment::CampaignOptions options;
      options.jobs = choices.jobs;
      options.again = choices.again;
      options.interrupt = &interrupt;
      runs = experiment::run_campaign(variants_, *store, options, {}).runs;
      if (interrupt) return;
      const std::vector<RunRecord> ended = copies(runs);
      if (!ended.empty()) {
        const auto written = writer.write_all(*store, ended, choices.has_report);
        if (written.undrawn) throw *written.undrawn;
      }
    });
    return records_of(std::move(runs));
  }

 private:
  static std::vector<RunRecord> copies(const std::vector<CampaignRun>& runs) {
    std::vector<RunRecord> records;
    for (const CampaignRun& run : runs) {
      if (run.record) records.push_back(*run.record);
    }
    return records;
  }

  template <class Run>
  Records records_of(std::vector<Run> runs) const {
    const bool none_works =
        std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.is_input_error; });
    std::vector<RunRecord> records;
    for (Run& run : runs) {
      if (run.record) records.push_back(std::move(*run.record));
    }
    if (none_works && !records.empty()) {
      throw_mistake();
      throw InputError(records.front().error);
    }
    return Records(std::move(records));
  }

  /// Does what runs all variants. A mistake that shows only when a network is there is known as a
  /// text: it is looked for again.
  void with_places(const std::function<void(const std::atomic<bool>&)>& work) const {
    try {
      without_lock(work);
    } catch (const InputError& error) {
      if (error.key().empty()) throw_mistake();
      throw;
    }
  }
  /// One mistake that all runs share is told once, with key and place, if the first of them makes
  /// it before anything is simulated.
  void throw_mistake() const {
    without_lock([&](const std::atomic<bool>&) {
      experiment::NetworkCache networks;
      (void)experiment::run_one(experiment::resolve(variants_.front().table), variants_.front(),
                                networks, [](const auto&) { return false; });
    });
  }

  experiment::ExperimentFile file_;
  std::vector<experiment::Variant> variants_;
};

Records read_results(const std::string& path) {
  std::vector<RunRecord> runs;
  without_lock([&](const std::atomic<bool>&) {
    const experiment::ResultsStore store(report::results_file(path),
                                         experiment::ResultsStore::Mode::existing);
    runs = store.read_all({});
  });
  return Records(std::move(runs));
}

}  // namespace

void add_runs(py::module_& module) {
  add_records(module);
  py::class_<Plan>(module, "Plan")
      .def(py::init([](const py::object& experiment, const py::dict& set) {
             return std::make_unique<Plan>(experiment, set);
           }),
           py::arg("experiment"), py::arg("set"))
      .def("__len__", &Plan::run_count)
      .def("resolved", &Plan::resolved)
      .def("run", &Plan::run, py::arg("jobs"))
      .def(
          "run_into",
          [](const Plan& plan, const std::string& folder, unsigned jobs, bool again, bool report) {
            return plan.run_into(folder, {jobs, again, report});
          },
          py::arg("folder"), py::arg("jobs"), py::arg("again"), py::arg("report"));
  module.def("read_results", &read_results, py::arg("path"));
}

}  // namespace weir::python
