import JSON
import ReactiveCore

/// The lines of a program or a file as values of a signal, each as a turn of its own.
final class LineValues {
  private let cutter: Cell<LineCutter>
  private let format: LineFormat
  private let context: OperatorContext
  private let output: StreamObserver

  init(_ format: LineFormat, to output: StreamObserver, _ context: OperatorContext) {
    self.format = format
    self.output = output
    self.context = context
    cutter = context.cell(LineCutter())
  }

  /// Takes what was read; to be called between two turns.
  func append(_ bytes: [UInt8]) { cutter.value.append(bytes, limit: context.limits.line) { emit($0) } }

  /// Takes the rest for a line, though it has no end: nothing more comes.
  func finish() { cutter.value.finish(limit: context.limits.line) { emit($0) } }

  /// Drops a line that has no end yet.
  func discard() { cutter.value.discard() }

  private func emit(_ line: LineCutter.Line) {
    guard !context.body.hasEnded else { return }
    context.turns.run {
      do throws(SignalFailure) {
        if let payload = try format.payload(of: line, limit: context.limits.line) { output.send(value: payload) }
      } catch {
        context.refuse(error, value: line.shown, output)
      }
    }
  }
}
