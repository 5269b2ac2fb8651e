// swift run -c release Benchmarks core [what the name contains]

let usage =
  "usage: Benchmarks core [TEXT]\n\nPrints nanoseconds per event, the median of nine rounds, of all shapes or those whose name contains TEXT."

let arguments = Array(CommandLine.arguments.dropFirst())

if arguments.first == "core", arguments.count <= 2 {
  wanted = arguments.count > 1 ? arguments[1] : ""
  print("ns per event                                       core   closures     allocations")
  for found in coreBenchmarks() {
    let name = found.name + String(repeating: " ", count: max(0, 42 - found.name.count))
    let reference = found.reference.map { column($0, 11) } ?? "          –"
    print(name + column(found.nanoseconds, 13) + reference + column(found.allocations, 16))
  }
} else {
  print(usage)
}
