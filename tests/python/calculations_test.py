"""Rates and queueing models as functions on arrays."""

import json

import numpy as np
import pytest

import weir


def test_max_min_rates_of_a_chain():
    # Flow 0 takes both links; link 0 has two flows, link 1 three: 1/3 each there, the rest for flow 1.
    rates = weir.rates.max_min([[0, 1], [0], [1], [1]])
    assert rates.exact == ["1/3", "2/3", "1/3", "1/3"]
    assert rates.bottleneck == [1, 0, 1, 1]
    assert rates.levels == 2
    np.testing.assert_allclose(np.asarray(rates), [1 / 3, 2 / 3, 1 / 3, 1 / 3], rtol=1e-15)


def test_links_by_name_and_their_capacities():
    rates = weir.rates.max_min([["up", "down"], ["up"], ["down"]], {"up": 100, "down": 40})
    np.testing.assert_allclose(rates.rate, [20, 80, 20])
    assert rates.bottleneck == ["down", "up", "down"]
    assert weir.rates.max_min([["a", "b"], ["a"]]).exact == ["1/2", "1/2"]


def test_weights_and_applications():
    rates = weir.rates.max_min([[0], [0]], weights=[1, 3])
    np.testing.assert_allclose(rates.rate, [0.25, 0.75])
    np.testing.assert_allclose(rates.normalized, [0.25, 0.25])
    # Flow 0's application also has flow 1, which gets no more than a third: so neither does flow 0.
    paths, owners = [[0], [1], [1], [1]], ["a", "a", "b", "c"]
    assert weir.rates.max_min_applications(paths, applications=owners).exact == ["1/3"] * 4
    assert weir.rates.max_min(paths, applications=owners).exact == ["1", "1/3", "1/3", "1/3"]


def test_every_algorithm_has_a_function():
    paths = np.array([[0, 1], [1, 2], [0, 2]])
    for name in weir.catalogue().kinds["rates"]:
        found = getattr(weir.rates, name.replace("-", "_"))(paths)
        np.testing.assert_allclose(found.rate, 0.5, err_msg=name)


def test_rates_in_a_network_are_those_of_the_program(program, tmp_path):
    path = tmp_path / "flows.toml"
    pairs = [(0, 5), (1, 5), (2, 5), (3, 9), (4, 9), (5, 1)]
    flows = "".join(f"[[flow]]\nsource = {a}\ndestination = {b}\n" for a, b in pairs)
    path.write_text('routing = "d-mod-k"\n[topology]\nmodel = "k-ary-n-tree"\nk = 4\nn = 2\n' + flows)
    told = json.loads(program("rates", path, "--format", "json"))["rates"][0]["flows"]
    network = weir.Network(path)
    rates = weir.rates.max_min(network.paths(pairs), network.capacities)
    assert list(rates.rate) == [flow["rate"] for flow in told]
    assert [network.ports[link] for link in rates.bottleneck] == [flow["bottleneck"] for flow in told]
    assert network.line_rate == 100_000_000_000


@pytest.mark.parametrize(
    "arguments, keys, complaint",
    [
        (([[0], []],), {}, "path"),
        (([[0, 0]],), {}, "twice"),
        (([[0, 5]], [1, 1]), {}, "link 5"),
        (([[0]], [float("inf")]), {}, "finite"),
        (([[0]], [-1]), {}, "negative"),
        (([["a"]], {"b": 1}), {}, "'a'"),
        (([["a"]], [1]), {}, "dict"),
        (([[0]],), {"weights": [1, 2]}, "one for each flow"),
        (([[0]],), {"applications": []}, "one for each flow"),
    ],
)
def test_flows_that_cannot_be(arguments, keys, complaint):
    with pytest.raises(weir.InputError, match=complaint):
        weir.rates.max_min(*arguments, **keys)


def test_a_queue_with_poisson_arrivals_is_that_of_the_textbook():
    # M/M/1 with rho = 1/2: one packet on average, P(n) = (1 - rho) rho^n.
    measures = weir.queueing.ge(arrival_rate=4, service_rate=8, states=3)
    assert measures["queue_length"] == pytest.approx(1, rel=1e-9)
    assert [measures[f"state_probability[{n}]"] for n in range(3)] == pytest.approx([0.5, 0.25, 0.125])


def test_arrays_are_broadcast():
    rates = np.linspace(1, 7, 4)
    measures = weir.queueing.ge(arrival_rate=rates[:, None], service_rate=np.array([8.0, 16.0]))
    rho = rates[:, None] / np.array([8.0, 16.0])
    np.testing.assert_allclose(measures["queue_length"], rho / (1 - rho), rtol=1e-9)


def test_a_queue_is_that_of_the_program(program):
    keys = dict(arrival_rate=4, arrival_scv=5, service_rate=8, service_scv=7, capacity=8)
    options = [word for key, value in keys.items() for word in (f"--{key.replace('_', '-')}", value)]
    told = json.loads(program("queue", "ge", *options, "--simulate", 20000, "--format", "json"))
    measures = weir.queueing.ge(**keys, simulate=20000)
    for scalar in told["runs"][0]["scalars"]:
        name = scalar["metric"] + (f"[{scalar['label']}]" if scalar["label"] else "")
        assert measures[name] == scalar["value"], name
        if scalar["half_width"] is not None:
            assert measures.half_widths[name] == scalar["half_width"]
    assert any(name.startswith("simulated_") for name in measures.half_widths)


def test_wrong_keys_of_a_queue():
    with pytest.raises(weir.InputError) as caught:
        weir.queueing.ge(arrival_rate=4, servce_rate=8)
    assert caught.value.key == "queue.servce_rate"
    with pytest.raises(weir.InputError) as caught:
        weir.queueing.ge(arrival_rate=np.array([4.0, 9.0]), service_rate=-8)
    assert caught.value.key == "queue.service_rate"
