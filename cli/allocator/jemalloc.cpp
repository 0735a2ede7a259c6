// Huge pages for all that is allocated: a packet-hop of a large network touches lines of dozens of
// arrays, and finding their pages takes longer than much of what it does there. `MALLOC_CONF` in
// the environment has the last word.

// What jemalloc asks for by this name.
extern "C" const char* malloc_conf;  // NOLINT(*-avoid-non-const-global-variables)
const char* malloc_conf =
    "thp:always,metadata_thp:auto";  // NOLINT(*-avoid-non-const-global-variables)
