#!/usr/bin/env python3
"""The JSON schema of experiment files: takes what weir takes, and refuses what an editor should mark.

schema_test.py WEIR PROJECT
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)

weir, project = sys.argv[1], Path(sys.argv[2])
failures = []


def listed(form):
    return json.loads(subprocess.run([weir, "list", "--format", form], check=True, stdout=subprocess.PIPE).stdout)


def expect(condition, what):
    if not condition:
        failures.append(what)


schema, catalogue = listed("schema"), listed("json")
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)

# Whatever is shipped is taken, parts of experiments and lists of cases among it.
files = [
    path
    for path in sorted((project / "experiments").rglob("*.toml"))
    if path.name != "claims.toml" and not path.name.startswith("findings")
]
expect(len(files) > 100, f"only {len(files)} files")
for path in files:
    for error in validator.iter_errors(tomllib.loads(path.read_text())):
        failures.append(f"{path.relative_to(project)}: {list(error.absolute_path)}: {error.message[:200]}")


def refused(text):
    expect(not validator.is_valid(tomllib.loads(text)), f"taken: {text}")


def taken(text):
    expect(validator.is_valid(tomllib.loads(text)), f"refused: {text}")


refused("[topolgy]\nmodel = 'rlft'")
refused("[topology]\nmodel = 'rlfd'")
refused("[topology]\nmodel = 'rlft'\nport = 8")
refused("[topology]\nmodel = 'rlft'\nports = 'eight'")
refused("[switch]\narchitecture = 'ciop'")
refused("[switch]\nspeedup = 0.5")
refused("[[traffic]]\nname = 'a'\ndestinations = { model = 'unifrom' }")
refused("[[traffic]]\nsource = 'all'")
refused("[[traffic]]\nsources = { count = 3, chose = 'random' }")
refused("[[plot]]\nfigure = 'a'\nmetric = 'latency_meen[cold]'\nx = 'time'")
refused("[[plot]]\nfigure = 'a'\nmetric = ['efficiency', 'latency_middle']\nx = 'time'")
refused("[[plot]]\nfigure = 'a'\nmetric = 'efficiency'\nx = 'time'\nformat = ['svgz']")
refused("[results]\ncolumns = ['efficency']")
refused("[results]\nexport = ['xml']")
refused("[experiment]\nuntil = { metric = 'latency_middle' }")
taken("[experiment]\nuntil = { metric = 'latency_mean[cold]' }")
taken("[results]\ncolumns = ['efficiency', 'slowdown_p99[<= 8 KB]']\nexport = ['csv']")
taken("[[plot]]\nfigure = 'a'\nmetric = ['efficiency', 'latency_mean[cold]']\nx = 'time'")
taken("topology = 'single-switch'")
taken("[topology]\nports = 8")  # the model is in another file
taken("[[traffic]]\nname = 'a'\nsources = 'all'\ndestinations = 'uniform'\narrivals = { model = 'poisson', load = 0.5 }")

# Every section, model and key of the catalogue is there.
text = json.dumps(schema)
for section in catalogue["sections"]:
    top = section["name"].split(".")[0]
    expect(top in schema["properties"], f"no section {section['name']}")
    for key in section["keys"]:
        expect(json.dumps(key["name"]) + ":" in text, f"no key {section['name']}.{key['name']}")
kinds = {section.get("kind") for section in catalogue["sections"]} | {"pattern", "arrivals", "sizes", "lengths"}
for kind in kinds & set(catalogue["models"]):
    for model in catalogue["models"][kind]:
        expect(json.dumps(model["name"]) in text, f"no {kind} {model['name']}")
        expect(model["purpose"] and model["sources"], f"{kind} {model['name']} does not say what or where from")
expect(len(catalogue["metrics"]) > 100, "few metrics")

print("\n".join(failures[:20]) or f"{len(files)} files are taken")
sys.exit(1 if failures else 0)
