import ReactiveCore

/// The sources that somebody speaks for who is not the source: a test, or a recording.
package struct StandIns: Sendable {
  /// Signals that can be sent to and ended, whatever their source.
  private let opened: Set<String>
  /// Those of them whose own source is not heard.
  private let silenced: Set<String>

  package static let none = StandIns(opened: [], silenced: [])

  init(opened: Set<String>, silenced: Set<String>) {
    self.opened = opened
    self.silenced = silenced
  }

  /// The stream of a signal's source, with a way in from outside where there is to be one.
  func open(_ source: () -> Stream, of signal: SignalDeclaration, in context: OperatorContext) -> Stream {
    guard opened.contains(signal.name) else { return source() }
    if signal.kind == .input || signal.kind == .property {
      let stream = source()
      context.signal.inlet = context.signal.inlet.map { Inlet(output: $0.output, type: $0.type, isEndable: true) }
      return stream
    }
    let (stream, output) = Stream.pipe()
    // A source that is silenced is not even built: it might be a program.
    if !silenced.contains(signal.name) { source().observe(output) }
    context.signal.inlet = Inlet(output: output, type: .any, isEndable: true)
    context.keep(output)
    return stream
  }
}
