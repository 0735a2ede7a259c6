// How long a packet occupies a link: embedding <size> <rate>, such as: embedding "4 KiB" "100 Gbps"

#include <exception>
#include <iostream>
#include <weir/base/units.hpp>

int main(int argc, char** argv) {
  try {
    const weir::Bytes size = weir::parse_bytes(argc > 1 ? argv[1] : "4 KiB");
    const weir::Rate rate = weir::parse_rate(argc > 2 ? argv[2] : "100 Gbps");
    std::cout << weir::to_string(weir::serialization_time(size, rate)) << '\n';
  } catch (const std::exception& error) {
    std::cerr << "embedding: " << error.what() << '\n';
    return 2;
  }
}
