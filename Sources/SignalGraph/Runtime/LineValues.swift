import JSON
import ReactiveCore

/// The lines of a program or a file as values of a signal, each as a turn of its own.
final class LineValues {
  private let cutter: Cell<LineCutter>
  private let parser: LineParser
  private let context: OperatorContext
  private let output: StreamObserver
  /// The columns that the first line has named, where it does.
  private let columns: Cell<[String]?>?
  /// The lines that are held back until another record begins, where several make one.
  private let records: LineRecords?
  /// Whether all that is known is of an earlier run of a program.
  private var isAnew = false

  init(_ format: LineFormat, multiline: Multiline? = nil, to output: StreamObserver, _ context: OperatorContext) {
    self.output = output
    self.context = context
    parser = LineParser(format)
    cutter = context.cell(LineCutter())
    columns = format.hasHeader ? context.cell([String]?.none) : nil
    records = multiline.map { LineRecords($0, context) }
    records?.wait { [unowned self] in if let record = records?.take() { put(record) } }
  }

  /// Takes what was read; to be called between two turns.
  func append(_ bytes: [UInt8]) {
    if isAnew {
      isAnew = false
      forgetSource()
    }
    cutter.value.append(bytes, limit: context.limits.line) { emit($0) }
    if !context.body.hasEnded { records?.setAlarm() }
  }

  /// Takes the rest for a line, though it has no end: nothing more comes of this file or program.
  func finish() {
    cutter.value.finish(limit: context.limits.line) { emit($0) }
    forgetSource()
  }

  /// Drops a line that has no end yet: what follows is of a file that begins anew.
  func discard() {
    cutter.value.discard()
    forgetSource()
  }

  /// The same as it goes on with another run of a program, where nothing is emitted yet.
  func beginAnew() {
    cutter.value.discard()
    isAnew = true
  }

  /// A record that was held back ends with its file, and another has columns of its own.
  private func forgetSource() {
    if let record = records?.take() { show(record) }
    columns?.value = nil
  }

  private func emit(_ line: LineCutter.Line) {
    guard let records else { return show(line) }
    guard !context.body.hasEnded else { return }
    do throws(SignalFailure) {
      if let record = try records.append(line) { show(record) }
    } catch {
      context.turns.run { context.refuse(error, value: line.shown, output) }
    }
  }

  private func show(_ line: LineCutter.Line) {
    guard !context.body.hasEnded else { return }
    context.turns.run { put(line) }
  }

  /// Emits the value of a line, within a turn.
  private func put(_ line: LineCutter.Line) {
    do throws(SignalFailure) {
      var known = columns?.value
      let payload = try parser.payload(of: line, columns: &known, context.limits)
      if let columns, columns.value == nil { columns.value = known }
      if let payload { output.send(value: payload) }
    } catch {
      context.refuse(error, value: line.shown, output)
    }
  }
}
