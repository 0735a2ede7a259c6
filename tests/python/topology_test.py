"""Networks as graphs of networkx, and routes in them."""

import networkx as nx
import numpy as np
import pytest

import weir

TREE = {"topology": {"model": "k-ary-n-tree", "k": 4, "n": 2}, "routing": "d-mod-k"}


def test_a_tree_has_its_hosts_switches_and_links():
    graph = weir.topology("k-ary-n-tree", k=4, n=3, link={"rate": "200 Gbps", "delay": "50 ns"})
    kinds = [kind for _, kind in graph.nodes(data="kind")]
    assert kinds.count("host") == 4**3
    assert kinds.count("switch") == 3 * 4**2
    # k links to below of each switch, in both directions; the top has none to above.
    assert graph.number_of_edges() == 2 * 3 * 4**2 * 4
    assert {rate for _, _, rate in graph.edges(data="rate")} == {200_000_000_000}
    assert {delay for _, _, delay in graph.edges(data="delay_ns")} == {50.0}
    assert {graph.nodes[node]["stage"] for node in graph if graph.nodes[node]["kind"] == "switch"} == {1, 2, 3}
    # From host to host by way of the top: 3 switches up, 2 down.
    assert nx.diameter(nx.Graph(graph.to_undirected())) == 6


def test_ports_join_up():
    graph = weir.topology("torus", sizes=[3, 3])
    for source, target, key, data in graph.edges(keys=True, data=True):
        back = [one for one in graph[target][source].values() if one["port"] == data["to_port"]]
        assert len(back) == 1 and back[0]["to_port"] == data["port"]
        assert key.startswith(source + "[") or graph.nodes[source]["kind"] == "host"


def test_one_way_networks_have_one_direction():
    graph = weir.topology("umin-butterfly", k=2, n=3)
    between = [(a, b) for a, b in graph.edges() if "switch" == graph.nodes[a]["kind"] == graph.nodes[b]["kind"]]
    assert between and not any((b, a) in between for a, b in between)


def test_an_experiment_is_a_topology_too(tmp_path):
    path = tmp_path / "tree.toml"
    path.write_text('[topology]\nmodel = "k-ary-n-tree"\nk = 4\nn = 2\n')
    assert weir.topology(str(path)).number_of_nodes() == 16 + 8
    assert weir.topology(path, k=2).number_of_nodes() == 4 + 4
    assert weir.topology(TREE).graph["family"] == "k-ary-n-tree"


def test_a_recorded_fabric_keeps_its_names():
    graph = weir.topology(weir.shipped("real-fabric.toml"))
    assert not any(name.startswith("h0") for name in graph)
    assert all(data["port"] >= 1 for a, _, data in graph.edges(data=True) if graph.nodes[a]["kind"] == "switch")


def test_a_wrong_key_is_refused():
    with pytest.raises(weir.InputError, match="did you mean") as caught:
        weir.topology("k-ary-n-tree", k=4, n=2, kk=1)
    assert caught.value.key == "topology.kk"


def test_routes_go_from_host_to_host_over_cables():
    network = weir.Network(TREE)
    routes = network.routes()
    assert routes[["source", "destination"]].drop_duplicates().shape[0] == 16 * 15
    next_node = {key: target for _, target, key in network.graph.edges(keys=True)}
    for (source, destination), route in routes.groupby(["source", "destination"]):
        at = source
        for port in route.sort_values("hop")["port"]:
            assert port in {key for _, _, key in network.graph.out_edges(at, keys=True)}
            at = next_node[port]
        assert at == destination
    # Below one leaf switch: up and down; else by way of the top.
    lengths = routes.groupby(["source", "destination"]).size()
    assert lengths["h0", "h1"] == 2 and lengths["h0", "h15"] == 4


def test_routes_by_name_number_and_array():
    by_name = weir.routes(TREE, [("h0", "h5"), ("h3", "h4")])
    assert by_name.equals(weir.routes(TREE, np.array([[0, 5], [3, 4]])))
    with pytest.raises(weir.InputError, match="did you mean"):
        weir.routes(TREE, [("h0", "h55")])
    with pytest.raises(weir.InputError, match="no route from host 3 to host 3"):
        weir.routes(TREE, [(3, 3)])
