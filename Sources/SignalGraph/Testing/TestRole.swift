/// The way in which a test can say again what a signal has done.
package enum TestRole: Sendable {
  /// It is an input or a property, to which the test sends.
  case input
  /// It hears the world outside: the test says in its place what it said.
  case stub
  /// It goes by the time alone: it does the same by itself where the test begins with it, and is a stub elsewhere.
  case clock
  /// It follows from others.
  case computed
}

extension SignalDeclaration {
  /// Its role in a test of its graph.
  package var testRole: TestRole {
    if isPlainInput { return .input }
    if !isMadeWithin { return .stub }
    return Self.clocks.contains(body.source.name) ? .clock : .computed
  }

  /// Whether it is an input or a property that emits what is sent to it as it is.
  package var isUnpipedInput: Bool { isPlainInput && body.pipe.isEmpty && traits.initial == nil }

  private var isPlainInput: Bool { body.source.takesValues && body.outsideSources.isEmpty }

  private static let clocks: Set = ["interval", "timer", "marble"]
}

extension Configuration {
  /// All signals that take part in what some signals emit: these, those that they are computed from, and those that send
  /// to one of them.
  ///
  /// - Parameter isClosed: Whether it does not matter what a signal is made of.
  package func contributors(to names: [String], where isClosed: (String) -> Bool) -> Set<String> {
    let declarations = Dictionary(uniqueKeysWithValues: buildOrder.map { ($0.name, $0) })
    var senders: [String: [String]] = [:]
    for signal in buildOrder {
      for target in signal.body.targets { senders[target, default: []].append(signal.name) }
    }
    var found = Set(names)
    var open = names
    while let name = open.popLast() {
      guard !isClosed(name), let declaration = declarations[name] else { continue }
      for other in declaration.upstream + (senders[name] ?? []) where found.insert(other).inserted {
        open.append(other)
      }
    }
    return found
  }

  /// The signals that others send to.
  package var targets: Set<String> { Set(buildOrder.flatMap(\.body.targets)) }
}

extension TestDraft {
  /// Finds out whether a file says this test, and the test passes.
  ///
  /// - Returns: The reason why it does not.
  package func fault(of file: String, in configuration: Configuration) -> String? {
    let tests = configuration.tests.filter { $0.place.file.hasSuffix(file) }
    guard let test = tests.last else { return "it is not there" }
    guard isDone(by: test) else { return "it is read as another one" }
    return TestRun.outcome(of: test, in: configuration, restarts: false).failures.first?.summary
  }
}

extension ConfigurationInputs {
  /// The same with one more file in `conf.d`, behind all others.
  package func adding(_ text: String, named name: String) -> ConfigurationInputs {
    var inputs = self
    inputs.readFile = { [readFile] path, limit in
      path.hasSuffix("conf.d/\(name)") ? .success(Array(text.utf8)) : readFile(path, limit)
    }
    inputs.listDirectory = { [listDirectory] path in .success(((try? listDirectory(path).get()) ?? []) + [name]) }
    return inputs
  }
}
