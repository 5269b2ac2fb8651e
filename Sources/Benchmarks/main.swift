// swift run -c release Benchmarks core

let usage = "usage: Benchmarks core\n\nPrints nanoseconds per event, the median of nine rounds."

if CommandLine.arguments.dropFirst() == ["core"] {
  print("ns per event                                       core   closures     allocations")
  for found in coreBenchmarks() {
    let name = found.name + String(repeating: " ", count: max(0, 42 - found.name.count))
    let reference = found.reference.map { column($0, 11) } ?? "          –"
    print(name + column(found.nanoseconds, 13) + reference + column(found.allocations, 16))
  }
} else {
  print(usage)
}
