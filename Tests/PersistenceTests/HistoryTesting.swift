import Foundation
import GraphCatalogue
import GraphModel
import GraphTools
import JSON
import Signals
import StateLog
import TestSupport
import Testing

@testable import Persistence

/// Helpers for generating and running tests of a durable graph's history.
protocol HistoryTesting {}

extension HistoryTesting {
  /// A graph used by many of them.
  static var room: String {
    """
    room:
      durable: {history: {for: 7d}}
      signals:
        raw: {input: {}}
        limit: {property: {initial: 25}}
        hot: {combine: {t: raw, limit: limit}, pipe: [{map: .t > .limit}, skip_repeats, {debounce: 2s}]}
    """
  }

  /// The time of day at the start of a host.
  private static var beginning: Int64 { 1_700_000_000_000_000 }

  /// Returns a test of a host's history between two times since its beginning.
  static func test(
    _ host: DurableHost, since: Duration? = nil, until: Duration? = nil, _ patterns: String...
  ) throws(HistoryTest.Refusal) -> HistoryTest {
    func moment(_ time: Duration?) -> Int64? { time.map { beginning + Int64($0 / .microseconds(1)) } }
    let request = HistoryTest.Request(
      name: "it was so", since: moment(since), until: moment(until),
      patterns: patterns.map { pattern in
        HistoryTest.Pattern(text: pattern, isName: !pattern.contains("*")) { name in
          pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
        }
      })
    host.settle()
    do {
      let folder = try host.copyOfState()
      return try withExtendedLifetime(folder) { try HistoryTest(request, from: FolderReader(folder.path)) }
    } catch let refusal as HistoryTest.Refusal {
      throw refusal
    } catch {
      throw .untellable("\(error)")
    }
  }

  /// Returns the failures of a test under graphs of its own.
  static func failures(of test: HistoryTest, in graphs: String, restarts: Bool = false) throws -> [String] {
    try failures(of: test, yaml: DurableHost.yaml(graphs), restarts: restarts)
  }

  /// Returns the failures of a test beside a whole configuration.
  static func failures(of test: HistoryTest, yaml: String, restarts: Bool) throws -> [String] {
    let folder = TemporaryFolder(inMemory: true)
    try FileManager.default.createDirectory(atPath: folder("conf.d"), withIntermediateDirectories: true)
    try yaml.write(toFile: folder("signalbox.yaml"), atomically: false, encoding: .utf8)
    let lines = ["signalbox: 1", "graphs:", "  \(test.graph):", "    tests:"] + test.lines
    try (lines.joined(separator: "\n") + "\n")
      .write(toFile: folder("conf.d/tests.yaml"), atomically: false, encoding: .utf8)
    let configuration = try Configuration.load(.withAdditions(folder("signalbox.yaml")))
    var reports: [String] = []
    configuration.runTests(restarts: restarts) { reports += $0.failures.map(\.summary) }
    #expect(configuration.tests.count == 1)
    return reports
  }

  static func message(_ body: () throws(HistoryTest.Refusal) -> HistoryTest) -> String {
    do throws(HistoryTest.Refusal) {
      return try body().lines.joined(separator: "\n")
    } catch {
      switch error {
      case .storage(let error): return error.description
      case .unknown(let pattern, let names): return "unknown \(pattern) among \(names.joined(separator: ", "))"
      case .vague(let message), .untellable(let message): return message
      }
    }
  }

  /// Returns the test of a span, which must pass with its graphs, also if they are rebuilt between all instants.
  static func passing(
    _ host: DurableHost, _ graphs: String, since: Duration? = nil, until: Duration? = nil, _ patterns: String...
  ) throws -> String {
    let test: HistoryTest
    switch patterns.count {
    case 0: test = try Self.test(host, since: since, until: until)
    case 1: test = try Self.test(host, since: since, until: until, patterns[0])
    default: test = try Self.test(host, since: since, until: until, patterns[0], patterns[1])
    }
    #expect(try failures(of: test, in: graphs) == [])
    #expect(try failures(of: test, in: graphs, restarts: true) == [])
    let text = test.lines.joined(separator: "\n")
    return text
  }
}
