package import GraphModel
import JSON
import Signals

/// The lines of a program or a file as values of a signal, each in a turn of its own.
package final class LineValues {
  private let cutter: Cell<LineCutter>
  private let parser: LineParser
  private let encoding: LineEncoding
  private let context: OperatorContext
  private let output: StreamObserver
  /// The columns that the first line has named, if the format has a header.
  private let columns: Cell<[String]?>?
  /// The lines buffered until the next record begins, if several lines make one.
  private let records: LineRecords?
  /// True if all that is known is of an earlier run of a program.
  private var isAnew = false

  package init(
    _ format: LineFormat, _ encoding: LineEncoding, multiline: Multiline?, to output: StreamObserver,
    _ context: OperatorContext
  ) {
    self.encoding = encoding
    self.output = output
    self.context = context
    parser = context.engine.lineParser(format)
    cutter = context.cell(LineCutter())
    columns = format.hasHeader ? context.cell([String]?.none) : nil
    records = multiline.map { LineRecords($0, context) }
    records?.wait { [unowned self] in endRecord() }
  }

  /// Appends the bytes read; called between two turns.
  package func append(_ bytes: [UInt8]) {
    if isAnew {
      isAnew = false
      discardSource()
    }
    cutter.value.append(bytes, limit: context.limits.line) { emit($0) }
    setAlarm()
  }

  private func setAlarm() {
    if !context.body.hasEnded { records?.setAlarm(hasUnfinished: cutter.value.hasUnfinished) }
  }

  /// Emits the record that has waited for its next line, within a turn; an unfinished line belongs to it.
  private func endRecord() {
    guard let records else { return }
    var before: LineCutter.Line?
    cutter.value.showUnfinished(limit: context.limits.line) { raw in
      let line = decoded(raw)
      do throws(SignalFailure) {
        before = try records.append(line)
      } catch {
        context.refuse(error, value: line.shown, output)
      }
    }
    guard let record = before ?? records.take() else { return }
    put(record)
    // A line that begins the next record starts a wait of its own.
    setAlarm()
  }

  /// Emits the rest as a line, though it has no end: the file or program has ended.
  package func finish() {
    cutter.value.finish(limit: context.limits.line) { emit($0) }
    discardSource()
  }

  /// Drops an unfinished line: the following bytes are of a file that starts over.
  package func discard() {
    cutter.value.discard()
    discardSource()
  }

  /// Drops an unfinished line before another run of a program, where nothing is emitted yet.
  package func restart() {
    cutter.value.discard()
    isAnew = true
  }

  /// Ends a held record and drops the columns: the next file has its own.
  private func discardSource() {
    if let record = records?.take() { show(record) }
    columns?.value = nil
  }

  private func decoded(_ line: LineCutter.Line) -> LineCutter.Line {
    if case .whole(let bytes) = line { .whole(encoding.utf8(bytes)) } else { line }
  }

  private func emit(_ raw: LineCutter.Line) {
    let line = decoded(raw)
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
