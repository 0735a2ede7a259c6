#include "weir/experiment/claims/findings.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "bindings.hpp"
#include "records.hpp"
#include "waiting.hpp"
#include "weir/experiment/claims/alternatives.hpp"
#include "weir/experiment/claims/calibration.hpp"
#include "weir/experiment/claims/fingerprint.hpp"
#include "weir/experiment/claims/reproduction.hpp"
#include "weir/report/results/results_writer.hpp"

namespace weir::python {

namespace py = pybind11;
namespace claims = experiment::claims;

namespace {

py::object number_or_none(double number) {
  return std::isnan(number) ? py::object(py::none()) : py::float_(number);
}

py::dict combination(const claims::Combination& at) {
  py::dict all;
  for (const auto& [name, value] : at) all[py::str(name)] = value;
  return all;
}

py::list points_of(const claims::Judgement& judgement) {
  py::list all;
  for (const claims::PointJudgement& point : judgement.points) {
    py::dict one;
    one["at"] = combination(point.at);
    one["verdict"] = std::string(to_string(point.verdict));
    one["measured"] = number_or_none(point.measured);
    one["half_width"] = number_or_none(point.half_width);
    one["draws"] = point.draws;
    one["decides"] = point.decides;
    all.append(std::move(one));
  }
  return all;
}

/// `recorded`: the verdict before, or null.
py::dict claim_row(const claims::Claim& claim, const claims::Judgement& judgement,
                   const claims::Judgement* recorded) {
  py::dict row;
  row["claim"] = claim.id;
  row["experiment"] = claim.experiment;
  row["verdict"] = std::string(to_string(judgement.verdict));
  row["lowest"] = number_or_none(judgement.lowest());
  row["highest"] = number_or_none(judgement.highest());
  row["unit"] = claim.unit.name;
  row["published"] = claim.published;
  row["recorded"] = recorded == nullptr ? py::object(py::none())
                                        : py::str(std::string(to_string(recorded->verdict)));
  row["kind"] = std::string(to_string(claim.kind));
  row["statement"] = claim.statement;
  row["source"] = claim.source;
  row["reason"] = judgement.reason;
  row["points"] = points_of(judgement);
  return row;
}

claims::Scale scale_called(const std::string& name) {
  for (const claims::Scale scale : claims::kScales) {
    if (to_string(scale) == name) return scale;
  }
  throw InputError("scale", "must be quick or full, not '" + name + "'");
}

struct Ran {
  const claims::PreparedExperiment* prepared;
  std::vector<claims::Judgement> judgements;
  std::vector<experiment::RunRecord> records;
};

/// Runs what is prepared into FOLDER/EXPERIMENT/SCALE.
std::vector<Ran> run_all(const claims::PreparedDocument& prepared, const std::string& folder,
                         const std::string& scale, unsigned jobs, bool again) {
  std::vector<Ran> all;
  without_lock([&](const std::atomic<bool>& interrupt) {
    for (const claims::PreparedExperiment& one : prepared.experiments) {
      if (interrupt || one.runs.empty()) continue;
      const std::string place = folder + "/" + one.experiment->name + "/" + scale;
      claims::renew_folder(place, claims::fingerprint(one.plan));
      experiment::ResultsStore store(report::results_file(place),
                                     experiment::ResultsStore::Mode::create);
      experiment::CampaignOptions options;
      options.jobs = jobs;
      options.again = again;
      options.interrupt = &interrupt;
      experiment::CampaignResult result =
          experiment::run_campaign(one.variants(), store, options, {});
      std::vector<claims::Judgement> judgements = claims::judge_all(one, result);
      all.push_back({&one, std::move(judgements), result.take_records()});
    }
  });
  return all;
}

py::tuple reproduce(const std::string& root, const std::string& document_name,
                    const std::string& part, const std::string& scale_name,
                    const std::vector<std::string>& with, const std::string& folder, unsigned jobs,
                    bool again) {
  const claims::Document document = claims::find_document(root, document_name);
  const claims::Scale scale = scale_called(scale_name);
  const claims::Combination choice = claims::read_choice(document, with);
  const claims::Findings recorded = claims::read_findings(document, choice);
  const claims::PreparedDocument prepared = claims::prepare(document, part, scale, choice);
  py::list rows;
  std::vector<experiment::RunRecord> records;
  for (Ran& ran : run_all(prepared, folder, scale_name, jobs, again)) {
    for (std::size_t i = 0; i < ran.judgements.size(); ++i) {
      const claims::Claim& claim = *ran.prepared->claims[i].first;
      rows.append(claim_row(claim, ran.judgements[i], recorded.find(claim, scale)));
    }
    for (experiment::RunRecord& record : ran.records) records.push_back(std::move(record));
  }
  return py::make_tuple(std::move(rows), Records(std::move(records)));
}

py::list recorded_claims(const std::string& root, const std::string& name) {
  const claims::Document document = claims::find_document(root, name);
  const claims::Findings findings = claims::read_findings(document);
  py::list rows;
  for (const claims::Claim& claim : document.claims) {
    const claims::Judgement* standing = findings.standing(claim);
    rows.append(claim_row(claim, standing == nullptr ? claims::Judgement() : *standing, standing));
  }
  return rows;
}

/// A row a combination of values of the unknowns.
py::list calibrate(const std::string& root, const std::string& name) {
  const claims::Document document = claims::find_document(root, name);
  const claims::Calibration calibration =
      claims::calibrate(document, claims::read_findings(document));
  py::list rows;
  for (std::size_t p = 0; p < calibration.points.size(); ++p) {
    const claims::CalibrationPoint& point = calibration.points[p];
    py::dict values;
    for (std::size_t u = 0; u < document.unknowns.size(); ++u) {
      const claims::Unknown& unknown = document.unknowns[u];
      values[py::str(unknown.name)] = unknown.values[point.values[u]].name;
    }
    py::dict row;
    row["values"] = std::move(values);
    row["is_adopted"] = p == calibration.adopted;
    row["holds"] = point.all.holds;
    row["differs"] = point.all.differs;
    row["depends"] = point.all.depends;
    row["undecided"] = point.all.undecided;
    row["missing"] = point.all.missing;
    row["share"] = point.all.share();
    rows.append(std::move(row));
  }
  return rows;
}

}  // namespace

void add_claims(py::module_& module) {
  module.def("reproduce", &reproduce, py::arg("root"), py::arg("document"), py::arg("part"),
             py::arg("scale"), py::arg("values"), py::arg("folder"), py::arg("jobs"),
             py::arg("again"));
  module.def("recorded_claims", &recorded_claims, py::arg("root"), py::arg("document"));
  module.def("documents", [](const std::string& root) {
    std::map<std::string, std::string> all;
    for (const std::string& name : claims::document_names(root))
      all[name] = claims::find_document(root, name).title;
    return all;
  });
  module.def("calibrate", &calibrate, py::arg("root"), py::arg("document"));
}

}  // namespace weir::python
