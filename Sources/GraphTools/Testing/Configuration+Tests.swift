package import GraphModel

extension Configuration {
  /// Runs the tests whose names contain a text, in order, and reports each when it is done.
  ///
  /// - Parameters:
  ///   - restarts: True to save, discard and restore all graphs between any two instants and between the steps of one;
  ///     their events must not change.
  ///   - places: The places of sources and operators, for explaining failures.
  package func runTests(
    containing text: String = "", restarts: Bool = false, explaining places: StepPlaces? = nil,
    _ done: (TestOutcome) -> Void
  ) {
    for test in tests where text.isEmpty || test.name.contains(text) {
      done(TestRun.outcome(of: test, in: self, restarts: restarts, explaining: places))
    }
  }

  /// Returns the configuration with only the graphs in a test and those connected to them.
  func limited(to test: GraphTest) -> Configuration {
    let byName = Dictionary(graphs.map { ($0.name, $0) }) { first, _ in first }
    var needed: Set<String> = []
    var open = test.graphs
    while let name = open.popLast() {
      guard let declaration = byName[name], needed.insert(name).inserted else { continue }
      open += declaration.signals.flatMap { $0.upstream + $0.body.targets }.map { SignalName.graph(of: $0) }
    }
    return Configuration(
      server: server, graphs: graphs.filter { needed.contains($0.name) }, tests: tests, buildOrder: buildOrder,
      timeZones: timeZones, warnings: warnings, openReferences: openReferences, files: files)
  }
}

extension GraphTest {
  /// The test's own graph and those of the signals and actions in it.
  fileprivate var graphs: [String] {
    let named = steps.flatMap { step -> [String] in
      if case .subscribe(_, let signal) = step.action { [signal] } else { [step.action.subject] }
    }
    return [graph] + (named + expectations.map(\.subject)).filter { $0.contains(".") }.map { SignalName.graph(of: $0) }
  }
}
