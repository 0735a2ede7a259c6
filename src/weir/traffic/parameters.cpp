#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

Key<ClassKeys> role_key() {
  return choice(&ClassKeys::role, "role",
                "role in the study: hot traffic makes the congestion, cold traffic does not",
                {{"", Role::none}, {"cold", Role::cold}, {"hot", Role::hot}});
}

Key<ClassKeys> service_level_key(std::string_view help) {
  return key(&ClassKeys::service_level, "service_level", help).range(0, 15);
}

const Keys<TrafficKeys>& traffic_keys() {
  using T = TrafficKeys;
  static const Keys<T> keys{
      key(&T::name, "name", "name of this class of traffic in results").required(),
      role_key(),
      key(&T::sources, "sources",
          "sources: \"all\", \"rest\" (hosts that are no source of another entry), a list of "
          "hosts, "
          "or a table (see traffic.sources)"),
      service_level_key("service level of the packets"),
      key(&T::reserve, "reserve",
          "rate for which every source asks before it sends, with an [admission] model (default: "
          "it does not ask)")
          .at_least(8),
      choice(&T::has_rate, "rate",
             "calculated: every pair of hosts between which it sends is a flow, and its messages "
             "leave at the rate that [rates] or [protocol] finds for it, with an [injection] model "
             "that keeps rates (without one it means nothing); none: no rate of its own (default: "
             "none)",
             {{"none", false}, {"calculated", true}})
          .without_default(),
      key(&T::destinations, "destinations", "traffic pattern, as in { model = \"uniform\" }"),
      key(&T::arrivals, "arrivals", "arrival process, as in { model = \"constant\", load = 0.5 }"),
      key(&T::sizes, "sizes",
          "payload of the messages, as in { model = \"fixed\", size = \"4 KiB\" }"),
      key(&T::connections, "connections",
          "connections (queue pairs) of a source to each destination, over which its messages are "
          "spread at random; each has an order, and with host.source_queues = "
          "\"per-destination\" a queue, window and rate of its own")
          .range(1, 65'535),
      key(&T::start, "start", "time before which there is no message (default: 0)")
          .without_default(),
      key(&T::stop, "stop", "time from which on there is no message (default: the end)")
          .without_default(),
      key(&T::phases, "phases",
          "phases in place of start and stop: [{ start = ..., stop = ..., load = ... }, ...]"),
      key(&T::messages, "messages", "most messages of a source (default: no limit)")
          .range(1, 1e15)
          .without_default(),
      key(&T::start_after_packets, "start_after_packets",
          "data packets received in the whole network after which this traffic begins")
          .range(0, 1e15),
      key(&T::trace, "trace",
          "recorded messages in place of sources, destinations, arrivals and sizes: "
          "{ file = \"app.trace\" }"),
      key(&T::storage, "storage",
          "synthetic storage traffic in place of sources, destinations, arrivals and sizes: "
          "{ load = 0.7 }"),
      key(&T::incast, "incast",
          "incasts in place of sources, destinations, arrivals and sizes: { fan_in = 32, size = "
          "\"64 KB\", load = 0.1 }")};
  return keys;
}

const Keys<SourceKeys>& source_keys() {
  using S = SourceKeys;
  using Choose = S::Choose;
  static const Keys<S> keys{
      key(&S::of, "of",
          "hosts to choose from: \"all\", \"rest\" or a list of hosts (numbers, names, "
          "\"n[01-16]\")"),
      key(&S::same_as, "same_as", "name of the entry whose sources these are, in place of `of`"),
      key(&S::range, "range", "hosts [first, last], in place of `of`").range(0, 1 << 24),
      key(&S::jobs, "jobs",
          "hosts of the jobs in a file, in place of `of`: lines \"NAME HOSTS\", as squeue -h -o "
          "\"%i %N\" prints them"),
      key(&S::job, "job", "the only one of these jobs"),
      key(&S::exclude, "exclude", "hosts that are no sources"),
      key(&S::modulo, "modulo", "[divisor, remainder]: only hosts whose number has that remainder")
          .range(0, 1 << 24),
      key(&S::fraction, "fraction",
          "number of hosts to choose, as a share of all hosts of the network, rounded to the "
          "nearest number")
          .range(0, 1),
      key(&S::count, "count", "number of hosts to choose").range(1, 1 << 24),
      choice(&S::choose, "choose",
             "which hosts are chosen: spread evenly, random (by the seed), the first or the last "
             "ones",
             {{"spread", Choose::spread},
              {"random", Choose::random},
              {"first", Choose::first},
              {"last", Choose::last}})
          .without_default()};
  return keys;
}

const Keys<Phase>& phase_keys() {
  static const Keys<Phase> keys{
      key(&Phase::start, "start", "beginning of the phase").required(),
      key(&Phase::stop, "stop", "end of the phase (default: none)").without_default(),
      key(&Phase::load, "load",
          "offered load as a fraction of the host's link rate (default: that of arrivals)")
          .range(1e-9, 1000)};
  return keys;
}

const Keys<TraceKeys>& trace_keys() {
  static const Keys<TraceKeys> keys{
      key(&TraceKeys::file, "file",
          "file whose first line is 'time[ns] source destination bytes' (or "
          "'time_ns,src,dst,bytes'), followed by one message a line")
          .required(),
      key(&TraceKeys::compression, "compression",
          "factor by which all times are divided: 20 makes the traffic 20 times as dense")
          .range(1e-6, 1e9)};
  return keys;
}

}  // namespace weir::traffic
