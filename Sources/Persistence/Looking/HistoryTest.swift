package import StateLog

/// A test of the current graphs, generated from a span of the recorded history.
///
/// The log is replayed, and inputs become the steps of the test. A test begins with fresh graphs, which have no state:
/// it is run, and if it does not reproduce the recording it is extended by earlier inputs until it does.
package struct HistoryTest {
  /// The requested test.
  package struct Request {
    package let name: String
    /// The time in microseconds since 1970.
    package let since: Int64?
    package let until: Int64?
    /// Patterns of signals; empty for all signals of the only durable graph.
    package let patterns: [Pattern]

    package init(name: String, since: Int64?, until: Int64?, patterns: [Pattern]) {
      (self.name, self.since, self.until, self.patterns) = (name, since, until, patterns)
    }
  }

  package struct Pattern {
    package let text: String
    /// True for the full name of one signal.
    package let isName: Bool
    package let matches: (String) -> Bool

    package init(text: String, isName: Bool, matches: @escaping (String) -> Bool) {
      (self.text, self.isName, self.matches) = (text, isName, matches)
    }
  }

  /// The reason for failing to generate a test.
  package enum Refusal: Error {
    case storage(StorageError)
    /// A pattern matches no signal; lists the existing signals.
    case unknown(String, among: [String])
    /// The request is ambiguous.
    case vague(String)
    /// No test can express the span.
    case untellable(String)
  }

  /// The lines under `tests`.
  package let lines: [String]
  /// The graph that the test belongs to.
  package let graph: String

  /// - Throws: A refusal if no test reproduces the recording.
  package init(_ request: Request, from folder: FolderReader) throws(Refusal) {
    let marks = try Self.reading { () throws(StorageError) in try folder.snapshots() }
    if marks.isEmpty { throw .storage(StorageError(.missing, "the state folder is empty")) }
    let newest = marks.lastIndex { $0.time <= request.since ?? .min } ?? 0
    var (first, stride, oldest) = (newest, 1, 0)
    while true {
      let reading = SpanReading(folder, marks, first: first, newest: newest)
      switch try reading.span(from: request.since, to: request.until) {
      case .broken(let index):
        // The state there is from before: older input does not contribute.
        (first, oldest) = (index, index)
      case .whole(let span):
        let search = try TestSearch(request, span)
        if let lines = search.lines() {
          (self.lines, graph) = (lines, search.graph)
          return
        }
        if first == oldest { throw .untellable(search.complaint) }
        first = max(oldest, first - stride)
        stride *= 2
      }
    }
  }

  static func reading<Result>(_ body: () throws(StorageError) -> Result) throws(Refusal) -> Result {
    do throws(StorageError) { return try body() } catch { throw .storage(error) }
  }
}
