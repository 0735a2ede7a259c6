#pragma once

#include <string>

namespace weir::report {

/// The catalogue as JSON, for other programs: sections of experiment files with their keys, models
/// by kind with their keys, purposes and sources, metrics with unit and forms. Quantities have
/// their limits in base units: ps, bytes, bit/s.
std::string catalogue_json();
/// Of one kind of models, "section" or "metric". Throws InputError with the nearest name.
std::string catalogue_json(const std::string& kind);

/// What is called `name`, as a list of entries like those of the catalogue, each with its "kind":
/// models and metrics of `kind`, or of all and sections where it is empty. "" where nothing is.
std::string description_json(const std::string& kind, const std::string& name);

/// A JSON schema (draft 7) of experiment files, for editors: keys, models, choices and limits with
/// their descriptions. A file may be a part that others include, so that nothing is required.
std::string experiment_schema();

}  // namespace weir::report
