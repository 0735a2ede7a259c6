// Four hosts of a fat tree each send 64 KiB to host 0; prints when each message is complete.
// Hosts 5 and 9 share a port of the last switch, so that each gets half of what 1 and 2 get.

#include <exception>
#include <iostream>
#include <memory>
#include <weir/fabric/fabric.hpp>
#include <weir/routing/routing.hpp>
#include <weir/topology/topology.hpp>

// The model called `name`, with settings as in an experiment file.
template <class Registry, class... Arguments>
auto make(const Registry& registry, const char* name, const char* toml, const Arguments&... rest) {
  const auto& model = registry.find(name, {}, "embedding");
  const auto table = weir::parse_toml(toml, "embedding");
  return model.make(weir::Settings::check(table, model.info.parameters, name), rest...);
}

struct Printer : weir::fabric::Observer {
  void on_message_complete(const weir::fabric::Message& message, weir::Time now) override {
    std::cout << "host " << message.source << ": " << weir::to_string(now) << '\n';
  }
};

int main() try {
  const weir::topology::LinkSpec link{weir::gigabits_per_second(100), weir::nanoseconds(30)};
  const auto graph = std::make_shared<const weir::topology::Graph>(
      make(weir::topology::topology_registry(), "k-ary-n-tree", "k = 4\nn = 2", link));
  const weir::fabric::Models models{graph,
                                    make(weir::routing::routing_registry(), "d-mod-k", "", *graph),
                                    make(weir::fabric::selection_registry(), "fixed", ""),
                                    make(weir::fabric::queueing_registry(), "voqsw", "", *graph)};
  Printer printer;
  weir::fabric::Fabric fabric(models, {}, {}, printer);
  for (const std::uint32_t source : {1U, 2U, 5U, 9U}) {
    fabric.submit(weir::HostId(source), {{}, weir::HostId(0), weir::Bytes(64 << 10)});
  }
  fabric.run_until(weir::milliseconds(1));
} catch (const std::exception& error) {
  std::cerr << "embedding: " << error.what() << '\n';
  return 2;
}
