import JSON
import ReactiveCore

/// Puts lines together to records, and says when the last one has waited long enough.
final class LineRecords {
  private let record: Cell<LineRecord>
  private let begins: Evaluator
  private let multiline: Multiline
  private let context: OperatorContext
  private var alarm: Alarm?

  init(_ multiline: Multiline, _ context: OperatorContext) {
    self.multiline = multiline
    self.context = context
    begins = context.evaluator(of: multiline.begins)
    record = context.cell(LineRecord())
  }

  /// Has `action` done within a turn when a record has waited for its next line long enough.
  func wait(_ action: @escaping () -> Void) {
    let alarm = Alarm(context) { _, _ in action() }
    context.body.onEnd { alarm.dispose() }
    self.alarm = alarm
  }

  /// Has the present record wait from now on.
  func setAlarm() {
    if record.value.isEmpty { alarm?.cancel() } else { alarm?.set(at: context.clock.now + multiline.wait) }
  }

  /// Takes a line, and gives the record that ends before it.
  ///
  /// - Throws: the reason why nobody can say whether the line begins a record; it is left out.
  func append(_ line: LineCutter.Line) throws(SignalFailure) -> LineCutter.Line? {
    guard case .whole(let bytes) = line else {
      // Nobody knows what it is: the record that it stands in is not whole.
      record.value.overflow()
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .badValue("a line that is not UTF-8 text") }
    let isFirst = try begins.isTrue(.value(.string(text)))
    let before = isFirst ? record.value.take() : nil
    record.value.append(bytes, limit: context.limits.line)
    return before
  }

  /// The present record, if there is one: it has all its lines.
  func take() -> LineCutter.Line? {
    alarm?.cancel()
    return record.value.take()
  }
}
