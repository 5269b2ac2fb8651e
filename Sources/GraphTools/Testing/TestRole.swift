import GraphCatalogue
package import GraphModel

/// The way in which a test can reproduce a signal's events.
package enum TestRole: Sendable {
  /// An input or a property, which the test sends to.
  case input
  /// A signal with external input: the test supplies its events.
  case stub
  /// A signal driven by time alone: it repeats its events if the test starts when it does, and is a stub otherwise.
  case clock
  /// A signal computed from others.
  case computed
}

extension SignalDeclaration {
  /// The signal's role in a test of its graph.
  package var testRole: TestRole {
    if isPlainInput { return .input }
    if !isMadeWithin { return .stub }
    return Catalogue.source(named: body.source.name)?.isClock == true ? .clock : .computed
  }

  /// True for an input or a property that emits the values sent to it unchanged.
  package var isUnpipedInput: Bool { isPlainInput && body.pipe.isEmpty && traits.initial == nil }

  private var isPlainInput: Bool { body.source.takesValues && body.outsideSources.isEmpty }
}

extension Configuration {
  /// Returns all signals that contribute to the events of some signals: these, their upstream signals, and the signals
  /// that send to one of them.
  ///
  /// - Parameter isClosed: True for a signal whose own contributors are irrelevant.
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
  /// Checks that a file contains this test and that the test passes.
  ///
  /// - Returns: The reason for a failed check; `nil` on success.
  package func fault(of file: String, in configuration: Configuration) -> String? {
    let tests = configuration.tests.filter { $0.place.file.hasSuffix(file) }
    guard let test = tests.last else { return "it does not exist" }
    guard isDone(by: test) else { return "it is read as another one" }
    return TestRun.outcome(of: test, in: configuration, restarts: false).failures.first?.summary
  }
}

extension ConfigurationInputs {
  /// Returns inputs with one more file in `conf.d`, after all others.
  package func adding(_ text: String, named name: String) -> ConfigurationInputs {
    var inputs = self
    inputs.readFile = { [readFile] path, limit in
      path.hasSuffix("conf.d/\(name)") ? .success(Array(text.utf8)) : readFile(path, limit)
    }
    inputs.listDirectory = { [listDirectory] path in .success(((try? listDirectory(path).get()) ?? []) + [name]) }
    return inputs
  }
}
