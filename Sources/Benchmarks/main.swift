// swift run -c release Benchmarks core [what the name contains]
// swift run -c release Benchmarks expressions

let usage = """
  usage: Benchmarks core [TEXT]
         Benchmarks expressions

  Prints nanoseconds, the medians of nine rounds: per event of all shapes or those whose name contains TEXT; per
  evaluation of some expressions.
  """

let arguments = Array(CommandLine.arguments.dropFirst())

if arguments.first == "core", arguments.count <= 2 {
  wanted = arguments.count > 1 ? arguments[1] : ""
  print("ns per event                                       core   closures     allocations")
  for found in coreBenchmarks() {
    let name = found.name + String(repeating: " ", count: max(0, 42 - found.name.count))
    let reference = found.reference.map { column($0, 11) } ?? "          –"
    print(name + column(found.nanoseconds, 13) + reference + column(found.allocations, 16))
  }
} else if arguments == ["expressions"] {
  print("ns                                    evaluation   compilation   allocations")
  for found in try expressionBenchmarks() {
    let source = found.source + String(repeating: " ", count: max(0, 36 - found.source.count))
    print(source + column(found.evaluation) + column(found.compilation, 14) + column(found.allocations, 14))
  }
} else {
  print(usage)
}
