// swift run -c release Benchmarks core [what the name contains]
// swift run -c release Benchmarks expressions
// swift run -c release Benchmarks graphs
// swift run -c release Benchmarks state
// swift run -c release Benchmarks pipes [what the name contains]
// swift run -c release Benchmarks groups
// swift run -c release Benchmarks commits FOLDER
// dbus-run-session -- swift run -c release Benchmarks buses

import CReferences

let usage = """
  usage: Benchmarks core [TEXT]
         Benchmarks expressions
         Benchmarks graphs
         Benchmarks state
         Benchmarks pipes [TEXT]
         Benchmarks groups
         Benchmarks commits FOLDER
         Benchmarks buses

  Prints nanoseconds, the medians of nine rounds: per event of all shapes or those whose name contains TEXT, beside
  closures written by hand and the core's limits; per evaluation of some expressions. Of graphs of 100, 1,000 and
  10,000 signals it prints what reading, starting, holding and a turn cost, and what
  saving their state and going on; of pipes, what a value costs; of 10,000
  groups, what a value and a key cost; of a disk, what one commit of the journal takes;
  of the session's message bus, what it costs to watch properties, beside what libsystemd needs for that.
  """

let arguments = Array(CommandLine.arguments.dropFirst())

if arguments.first == "core", arguments.count <= 2 {
  wanted = arguments.count > 1 ? arguments[1] : ""
  // As in programs that only use the library
  signalbox_count_references_atomically()
  printCore()
} else if arguments == ["expressions"] {
  print("ns                                    evaluation   compilation   allocations")
  for found in try expressionBenchmarks() {
    print(
      wide(found.source, 36) + column(found.evaluation) + column(found.compilation, 14)
        + column(found.allocations, 14))
  }
} else if arguments == ["graphs"] {
  try printGraphs()
} else if arguments == ["state"] {
  try printState()
} else if arguments.first == "pipes", arguments.count <= 2 {
  wanted = arguments.count > 1 ? arguments[1] : ""
  try printPipes()
} else if arguments == ["groups"] {
  try printGroups()
} else if arguments.first == "commits", arguments.count == 2 {
  try printCommits(in: arguments[1])
} else if arguments == ["buses"] {
  try printBuses()
} else {
  print(usage)
}
