import JSON
import ReactiveCore

/// The sources for which a test or a recording speaks.
package final class StandIns {
  /// By the source that each speaks for.
  private var bySource: [ObjectIdentifier: StandIn] = [:]
  /// By the signal under whose name it is spoken to.
  private var byName: [String: StandIn] = [:]

  package static var none: StandIns { StandIns([], silenced: []) }

  /// - Parameter silenced: The names of the signals whose own source is not heard.
  init(_ signals: [SignalDeclaration], silenced: Set<String>) {
    for signal in signals {
      guard let source = signal.spokenFor.source else { continue }
      let standIn = StandIn(isSilenced: silenced.contains(signal.name))
      bySource[ObjectIdentifier(source)] = standIn
      byName[signal.name] = standIn
    }
  }

  /// The stand-in for a source of a signal; `nil` if there is none.
  func standIn(forSignal name: String) -> StandIn? { byName[name] }

  /// The stream of a source, with a way in from outside if it needs one.
  func open(_ source: any PreparedSource, in context: OperatorContext) -> Stream {
    guard !bySource.isEmpty, let standIn = bySource[ObjectIdentifier(source)] else { return source.build(context) }
    guard !source.takesValues else {
      let stream = source.build(context)
      context.signal.inlet = context.signal.inlet.map { Inlet(output: $0.voice, type: $0.type, isEndable: true) }
      return stream
    }
    return standIn.stream(of: source, in: context)
  }
}

/// The stand-in for a source, which speaks to each of its present runs.
final class StandIn {
  private let isSilenced: Bool
  private var runs: [(body: RunningBody, output: StreamObserver)] = []

  init(isSilenced: Bool) { self.isSilenced = isSilenced }

  fileprivate func stream(of source: any PreparedSource, in context: OperatorContext) -> Stream {
    let (stream, output) = Stream.pipe()
    // A source that is silenced is not even built: it might be a program.
    if !isSilenced { source.build(context).observe(output) }
    let body = context.body
    runs.append((body, output))
    body.onEnd { [weak self, unowned body] in self?.runs.removeAll { $0.body === body } }
    return stream
  }

  /// Makes every run say something, within a turn.
  ///
  /// - Throws: Where there is no run.
  func speak(in signal: RunningSignal, _ say: (StreamObserver) -> Void) throws(SendError) {
    if runs.isEmpty {
      throw signal.ending == nil
        ? .failed(SignalFailure(code: "idle", message: "nothing runs that could say this")) : .ended
    }
    let present = runs
    signal.engine.turns.run {
      for run in present { say(run.output) }
    }
  }

  /// Ends every run; one that this starts goes on.
  func end(in signal: RunningSignal, with ending: SignalEnding) throws(SendError) {
    let over = runs.map(\.body)
    try speak(in: signal) { $0.end(with: ending) }
    runs.removeAll { run in over.contains { $0 === run.body } }
  }
}
