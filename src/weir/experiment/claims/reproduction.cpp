#include "weir/experiment/claims/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "weir/experiment/claims/alternatives.hpp"

namespace weir::experiment::claims {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFingerprintFile = "fingerprint";

PreparedExperiment prepare_one(const Document& document, const DocumentExperiment& one, Scale scale,
                               const Combination& choice, const Claim* only) {
  PreparedExperiment made{&one, Plan(one, scale, changes_of(document, choice)), {}, {}, {}};
  for (const Claim* claim : document.claims_of(one.name)) {
    if (only != nullptr && claim != only) continue;
    if (claim->scales.has(scale)) {
      made.claims.emplace_back(claim, select(*claim, made.plan));
    } else {
      made.not_judged.push_back(claim);
    }
  }
  if (only != nullptr && !made.claims.empty()) {
    made.runs = made.claims.front().second.runs(made.plan);
  } else if (only == nullptr) {
    for (std::size_t i = 0; i < made.plan.variants().size(); ++i) made.runs.push_back(i);
  }
  return made;
}

[[noreturn]] void refuse_choice(const Document& document, const std::string& experiment) {
  throw InputError(fmt::format("the values chosen for unknowns do not concern {}/{}", document.name,
                               experiment));
}

std::string first_line(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace

std::vector<Variant> PreparedExperiment::variants() const {
  std::vector<Variant> chosen;
  chosen.reserve(runs.size());
  for (const std::size_t i : runs) chosen.push_back(plan.variants()[i]);
  return chosen;
}

PreparedDocument prepare(const Document& document, const std::string& name, Scale scale,
                         const Combination& choice) {
  PreparedDocument made;
  const auto add = [&](const DocumentExperiment& one, const Claim* only) {
    if (one.scales.has(scale)) {
      made.experiments.push_back(prepare_one(document, one, scale, choice, only));
    } else {
      made.left_out.push_back(&one);
    }
  };
  const Claim* claim = document.find_claim(name);
  const auto& all = document.experiments;
  const bool is_experiment =
      std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (claim != nullptr && !is_experiment) {
    if (!concerns(document, choice, claim->experiment)) refuse_choice(document, claim->experiment);
    add(document.experiment(claim->experiment), claim);
    return made;
  }
  if (!name.empty()) (void)document.experiment(name);
  for (const DocumentExperiment& one : all) {
    if (!name.empty() && one.name != name) continue;
    if (concerns(document, choice, one.name)) {
      add(one, nullptr);
    } else if (name.empty()) {
      made.not_concerned.push_back(one.name);
    } else {
      refuse_choice(document, one.name);
    }
  }
  return made;
}

std::vector<Judgement> judge_all(const PreparedExperiment& prepared, const CampaignResult& result) {
  std::vector<const RunRecord*> runs(prepared.plan.variants().size(), nullptr);
  for (std::size_t i = 0; i < prepared.runs.size(); ++i) {
    if (result.runs[i].record) runs[prepared.runs[i]] = &*result.runs[i].record;
  }
  std::vector<Judgement> judgements;
  judgements.reserve(prepared.claims.size());
  for (const auto& [claim, selection] : prepared.claims)
    judgements.push_back(judge(*claim, prepared.plan, selection, runs));
  return judgements;
}

bool renew_folder(const std::string& folder, const std::string& fingerprint) {
  const fs::path database = fs::path(folder) / "results.sqlite";
  const fs::path note = fs::path(folder) / kFingerprintFile;
  std::error_code ignored;
  const bool is_older = fs::exists(database, ignored) && first_line(note) != fingerprint;
  if (is_older) {
    // Kept, they would pass for new ones when this is interrupted and goes on later.
    for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(database.string() + end);
  }
  fs::create_directories(folder);
  std::ofstream out(note);
  out << fingerprint << "\n";
  return is_older;
}

Document find_document(const std::string& root, const std::string& name) {
  const std::vector<std::string> names = document_names(root);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw InputError(
        fmt::format("no document is called '{}'{}", name,
                    names.empty() ? ": there are none in " + root : suggestion(name, names)));
  }
  return read_document((fs::path(root) / name).string());
}

}  // namespace weir::experiment::claims
