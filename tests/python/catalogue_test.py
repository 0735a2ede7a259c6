"""The catalogue, the functions that are made from it, and their stubs."""

import inspect
import subprocess
import sys

import pytest

import weir


def test_the_catalogue_has_what_the_program_lists(program):
    known = weir.catalogue()
    listed = [line for line in program("list").splitlines() if line and not line.startswith((" ", "Also"))]
    assert sorted(known.kinds) == sorted(listed)
    lines = [line for line in program("list", "routing").splitlines() if line.startswith("  ") and line[2] != " "]
    names = {line.split()[0] for line in lines}
    assert set(known.kinds["routing"]) == names


def test_keys_say_what_weir_describe_says(program):
    key = {key.name: key for key in weir.catalogue().model("queueing", "dbbm").keys}["queues"]
    assert (key.type, key.is_required) == ("int", False)
    text = program("describe", "dbbm")
    assert key.help in " ".join(text.split())
    assert f"default {key.default}" in " ".join(text.split())


def test_every_model_and_metric_cites_a_known_work():
    known = weir.catalogue()
    citations = [*known.models()["citation"], *known.metrics["citation"]]
    assert len(citations) > 200
    for citation in citations:
        for part in citation.split(";"):
            assert part.split(",")[0].strip() in known.sources.index, citation


def test_metrics_have_units_and_forms():
    efficiency = weir.catalogue().metrics.loc["efficiency"]
    assert efficiency["unit"] == "1"
    assert {"scalar", "series"} <= set(efficiency["forms"])


def test_unknown_names_get_the_nearest_one():
    with pytest.raises(KeyError, match="did you mean 'topology'"):
        weir.catalogue().models("toplogy")
    with pytest.raises(KeyError, match="did you mean 'dbbm'"):
        weir.catalogue().model("queueing", "dbmm")


def test_a_builder_makes_the_dict_of_a_section():
    tree = weir.models.topology.k_ary_n_tree(k=4, n=3)
    assert tree == {"model": "k-ary-n-tree", "k": 4, "n": 3}
    assert weir.topology(**tree).number_of_nodes() == 64 + 3 * 16


def test_builders_know_names_texts_and_arguments():
    build = weir.models.topology.k_ary_n_tree
    assert build.__name__ == "k_ary_n_tree"
    assert "k-ary n-tree" in build.__doc__ and "Source: " in build.__doc__
    parameters = inspect.signature(build).parameters
    assert parameters["k"].default is inspect.Parameter.empty
    assert "allow_cycles" in inspect.signature(weir.models.routing.d_mod_k).parameters  # of the section
    assert "default" in weir.sections.host.__doc__


@pytest.mark.parametrize(
    "call, key, complaint",
    [
        (lambda: weir.models.topology.k_ary_n_tree(k="4", n=3), "topology.k", "integer"),
        (lambda: weir.models.topology.k_ary_n_tree(k=4), "topology.n", "missing"),
        (lambda: weir.models.queueing.dbbm(queus=4), "queueing.queus", "did you mean 'queues'"),
        (lambda: weir.models.queueing.dbbm(queues=0), "queueing.queues", "at least|between|from"),
        (lambda: weir.sections.host(mtu="4 KiBi"), "host.mtu", "KiB"),
    ],
)
def test_the_library_checks_arguments(call, key, complaint):
    with pytest.raises(weir.InputError, match=complaint) as caught:
        call()
    assert caught.value.key == key


def test_an_experiment_of_builders_runs(small):
    models, sections = weir.models, weir.sections
    built = {
        "experiment": sections.experiment(name="small", duration="100 us", warmup="10 us"),
        "topology": models.topology.k_ary_n_tree(k=4, n=2),
        "routing": models.routing.d_mod_k(),
        "metrics": sections.metrics(bin="10 us"),
        "traffic": [
            sections.traffic(
                name="all",
                destinations=models.pattern.uniform(),
                arrivals=models.arrivals.poisson(load=0.5),
                sizes=models.sizes.fixed(size="4 KiB"),
            )
        ],
    }
    assert list(weir.run(built).fingerprints) == list(weir.run(small).fingerprints)


def test_stubs_are_those_of_the_catalogue(root):
    script = root / "scripts" / "python-stubs"
    check = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr


def test_stubs_are_python(root):
    for name in ("models", "sections", "queueing", "rates"):
        path = root / "python" / "weir" / f"{name}.pyi"
        compile(path.read_text(), str(path), "exec")
