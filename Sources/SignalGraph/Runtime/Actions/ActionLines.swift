import JSON
import ReactiveCore

/// The lines that one run of an action's program prints, as values.
struct ActionLines {
  private var cutter = LineCutter()
  /// The columns that the first line has named, where it does.
  private var columns: [String]?
  private var count = 0
  /// The mistake in the first line that makes no value: the run fails with it.
  private(set) var fault: SignalFailure?

  /// A line of which a value was made, or why none was.
  enum Outcome {
    case value(Payload)
    case refused(SignalFailure, line: JSONValue)
  }

  /// The values of the lines that end in what the program has printed.
  mutating func append(_ bytes: [UInt8], _ parser: LineParser, _ limits: Limits) -> [Outcome] {
    var lines: [LineCutter.Line] = []
    cutter.append(bytes, limit: limits.line) { lines.append($0) }
    return lines.compactMap { outcome(of: $0, parser, limits) }
  }

  /// The value of the rest, which is taken for a line: nothing more comes.
  mutating func finish(_ parser: LineParser, _ limits: Limits) -> [Outcome] {
    var lines: [LineCutter.Line] = []
    cutter.finish(limit: limits.line) { lines.append($0) }
    return lines.compactMap { outcome(of: $0, parser, limits) }
  }

  private mutating func outcome(of line: LineCutter.Line, _ parser: LineParser, _ limits: Limits) -> Outcome? {
    count += 1
    do throws(SignalFailure) {
      return try parser.payload(of: line, columns: &columns, limits).map { .value($0) }
    } catch {
      fault = fault ?? SignalFailure(code: "failed", message: "line \(count) of its output: \(error.message)")
      return .refused(error, line: line.shown)
    }
  }
}

extension ActionLines: Storable {
  func store(in writer: inout StateWriter) {
    count.store(in: &writer)
    fault.store(in: &writer)
  }

  /// One that was written down, of a program that does not run any more: what it had begun to print is lost with it.
  init(from reader: inout StateReader) throws(StateError) {
    count = try Int(from: &reader)
    fault = try SignalFailure?(from: &reader)
  }
}
