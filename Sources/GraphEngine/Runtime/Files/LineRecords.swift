import GraphModel
import JSON
import Signals

/// Assembles lines into records, with a time limit for the last one.
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

  /// Sets the action that runs, within a turn, when a record has waited long enough for its next line.
  func wait(_ action: @escaping () -> Void) {
    let alarm = Alarm(context) { _, _ in action() }
    context.body.onEnd { alarm.dispose() }
    self.alarm = alarm
  }

  /// Restarts the wait of the present record.
  ///
  /// - Parameter hasUnfinished: True if an unfinished line may belong to it.
  func setAlarm(hasUnfinished: Bool) {
    if record.value.isEmpty, !hasUnfinished {
      alarm?.cancel()
    } else {
      alarm?.set(at: context.clock.now + multiline.wait)
    }
  }

  /// Appends a line and returns the record that ends before it.
  ///
  /// - Throws: The error in deciding whether the line begins a record; the line is left out.
  func append(_ line: LineCutter.Line) throws(SignalFailure) -> LineCutter.Line? {
    guard case .whole(let bytes) = line else {
      // Its content is unknown, so the record around it is incomplete.
      record.value.overflow()
      return nil
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(bytes) }
    let isFirst = try begins.isTrue(.value(.string(text)))
    let before = isFirst ? record.value.take() : nil
    record.value.append(bytes, limit: context.limits.line)
    return before
  }

  /// Returns the present record, if any, as complete.
  func take() -> LineCutter.Line? {
    alarm?.cancel()
    return record.value.take()
  }
}
