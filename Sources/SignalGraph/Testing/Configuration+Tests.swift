extension Configuration {
  /// Runs the tests whose names contain a text, one after the other, and tells of each as it is done.
  package func runTests(containing text: String = "", _ done: (TestOutcome) -> Void) {
    for test in tests where text.isEmpty || test.name.contains(text) { done(TestRun.outcome(of: test, in: self)) }
  }

  /// The same with no graphs but one and those that it takes values from.
  func limited(to graph: String) -> Configuration {
    let byName = Dictionary(graphs.map { ($0.name, $0) }) { first, _ in first }
    var needed: Set<String> = []
    var open = [graph]
    while let name = open.popLast() {
      guard needed.insert(name).inserted, let declaration = byName[name] else { continue }
      open += declaration.signals.flatMap(\.upstream).compactMap { $0.split(separator: ".").first.map(String.init) }
    }
    return Configuration(
      server: server, graphs: graphs.filter { needed.contains($0.name) }, tests: tests, buildOrder: buildOrder,
      warnings: warnings, files: files)
  }
}
