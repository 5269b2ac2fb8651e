package import Journal

/// A span of what durable graphs have done, as a test that the same graphs pass.
///
/// The journal is worked out again, and what entered becomes the steps of a test. A test begins with fresh graphs, which
/// remember nothing: it is run, and where it does not give what was recorded it begins with more of what entered before,
/// until it does.
package struct HistoryTest {
  /// The test that is asked for.
  package struct Request {
    package let name: String
    /// In microseconds since 1970.
    package let since: Int64?
    package let until: Int64?
    /// Whether each of some patterns covers a signal; none stands for all of the only durable graph.
    package let patterns: [Pattern]

    package init(name: String, since: Int64?, until: Int64?, patterns: [Pattern]) {
      (self.name, self.since, self.until, self.patterns) = (name, since, until, patterns)
    }
  }

  package struct Pattern {
    package let text: String
    /// Whether it is the name of one signal.
    package let isName: Bool
    package let matches: (String) -> Bool

    package init(text: String, isName: Bool, matches: @escaping (String) -> Bool) {
      (self.text, self.isName, self.matches) = (text, isName, matches)
    }
  }

  /// The reason why there is no such test.
  package enum Refusal: Error {
    case storage(StorageError)
    /// A pattern covers nothing; these are the signals that there are.
    case unknown(String, among: [String])
    /// The request does not say enough.
    case vague(String)
    /// No test can say it.
    case untellable(String)
  }

  /// As people write it under `tests`.
  package let lines: [String]
  /// The graph under whose `tests` it belongs.
  package let graph: String

  /// - Throws: Where no test gives what was recorded.
  package init(_ request: Request, from folder: FolderReader) throws(Refusal) {
    let marks = try Self.reading { () throws(StorageError) in try folder.snapshots() }
    if marks.isEmpty { throw .storage(StorageError(.missing, "nothing was written there yet")) }
    let newest = marks.lastIndex { $0.time <= request.since ?? .min } ?? 0
    var (first, stride, oldest) = (newest, 1, 0)
    while true {
      let reading = SpanReading(folder, marks, first: first, newest: newest)
      switch try reading.span(from: request.since, to: request.until) {
      case .broken(let index):
        // Its memory there came from before: nothing older leads up to it.
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
