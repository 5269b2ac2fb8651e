import Foundation
import GraphCatalogue
package import GraphModel

/// A graph and the steps of its story.
package struct OracleStory: CustomStringConvertible {
  package var limits: String
  package var isDurable = false
  /// The signals of a second graph, which is not durable.
  package var plainNames: Set<String> = []
  /// The declarations, one per line.
  package var signals: [String]
  package var actions: String?
  package var steps: [Step]

  package init(limits: String, signals: [String], steps: [Step]) {
    self.limits = limits
    self.signals = signals
    self.steps = steps
  }

  /// The configuration as a file.
  package var yaml: String {
    let plain = signals.indices.filter { plainNames.contains(String(name($0))) }
    let own = signals.indices.filter { !plain.contains($0) }
    return "signalbox: 1\nserver: {limits: \(limits)}\ngraphs:\n  g:\n\(isDurable ? "    durable: true\n" : "")"
      + list(own) + (actions.map { "    actions: {\($0)}\n" } ?? "") + (plain.isEmpty ? "" : "  p:\n" + list(plain))
  }

  private func list(_ indices: [Int]) -> String {
    "    signals:\n" + indices.map { "      \(signals[$0])\n" }.joined()
  }

  /// Returns the name of a signal with that of its graph.
  package func fullName(_ name: String) -> String { (plainNames.contains(name) ? "p." : "g.") + name }

  package var description: String { yaml + steps.map { "  \($0)\n" }.joined() }

  /// The parsed configuration.
  package var configuration: Configuration {
    get throws {
      let bytes = Array(yaml.utf8)
      let inputs = ConfigurationInputs(
        environment: { _ in nil }, readFile: { _, _ in .success(bytes) }, listDirectory: { _ in .failure(.missing) })
      return try Configuration.load(.alone("story.yaml"), inputs: inputs)
    }
  }

  /// Returns the first difference in events or state of a restarted graph; `nil` without one.
  package func fault() throws -> String? {
    let configuration = try self.configuration
    let straight = try OracleGraph(configuration, restarts: false)
    do {
      let restarted = try OracleGraph(configuration, restarts: true)
      var heard = 0
      for step in steps {
        try straight.carryOut(step)
        try restarted.carryOut(step)
        if let difference = straight.difference(from: restarted, since: heard) { return difference }
        heard = straight.log.count
      }
      return nil
    } catch let error as OracleGraph.Stranded {
      return error.message
    }
  }

  /// Returns a smaller story that has a fault as well.
  ///
  /// - Parameter fault: Returns the fault of a story, if it has one.
  package func shrunk(_ fault: (OracleStory) throws -> String?) -> OracleStory {
    var least = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for smaller in least.reductions() where ((try? fault(smaller)) ?? nil) != nil {
        least = smaller
        isSmaller = true
        break
      }
    }
    return least
  }

  /// Returns the stories without one of its parts.
  private func reductions() -> some Sequence<OracleStory> {
    let steps = steps.indices.lazy.map { index in
      var story = self
      story.steps.remove(at: index)
      return story
    }
    let signals = signals.indices.lazy.filter { index in
      !self.steps.contains { "\($0)".contains("\(fullName(String(self.name(index))))\"") }
    }.map { index in
      var story = self
      story.signals.remove(at: index)
      return story
    }
    let parts = signals.indices.lazy.flatMap { index in
      self.signals[index].withoutPart().map { line in
        var story = self
        story.signals[index] = line
        return story
      }
    }
    return [AnySequence(signals), AnySequence(steps), AnySequence(parts)].lazy.joined()
  }

  private func name(_ index: Int) -> Substring { signals[index].prefix { $0 != ":" } }
}

extension String {
  /// Returns the texts without one element of a list or a mapping, or without a trait.
  fileprivate func withoutPart() -> [String] {
    let traits = [
      "pipe: []", "hold: true", "hold: {initial: 7}", "private: true", "lazy: true", "cold: true", "on_error: emit",
      "on_error: fail", "on_error: drop", "replay: 1", "replay: 2", "replay: 3",
    ]
    return traits.compactMap { range(of: ", \($0)") }.map { replacingCharacters(in: $0, with: "") }
      + nested.map { replacingCharacters(in: $0, with: "") }
  }

  /// The ranges of lists and mappings in it, each with its separating comma.
  private var nested: [Range<Index>] {
    var found: [Range<Index>] = []
    var open: [Index] = []
    for index in indices {
      if "{[".contains(self[index]) { open.append(index) }
      guard "}]".contains(self[index]), let start = open.popLast() else { continue }
      let end = self.index(after: index)
      if self[end...].hasPrefix(", ") {
        found.append(start..<self.index(end, offsetBy: 2))
      } else if self[..<start].hasSuffix(", ") {
        found.append(self.index(start, offsetBy: -2)..<end)
      } else {
        found.append(start..<end)
      }
    }
    return found
  }
}
