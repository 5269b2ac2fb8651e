package import GraphModel
import JSON
import Signals

/// The stand-ins for the sources that a test or a recording replaces.
package final class StandIns {
  /// Stand-ins by source.
  private var bySource: [ObjectIdentifier: StandIn] = [:]
  /// Stand-ins by the name of their signal.
  private var byName: [String: StandIn] = [:]

  package static var none: StandIns { StandIns([], silenced: []) }

  /// - Parameter silenced: The names of the signals whose own source is ignored.
  package init(_ signals: [SignalDeclaration], silenced: Set<String>) {
    for signal in signals {
      guard let source = signal.replacedSource.source else { continue }
      let standIn = StandIn(isSilenced: silenced.contains(signal.name))
      bySource[ObjectIdentifier(source)] = standIn
      byName[signal.name] = standIn
    }
  }

  /// Returns the stand-in for a signal's source; `nil` if there is none.
  package func standIn(forSignal name: String) -> StandIn? { byName[name] }

  /// Returns the stream of a source, with an external input if necessary.
  func open(_ source: any PreparedSource, in context: OperatorContext) -> Stream {
    guard !bySource.isEmpty, let standIn = bySource[ObjectIdentifier(source)] else { return source.stream(in: context) }
    guard !source.takesValues else {
      let stream = source.stream(in: context)
      context.signal.inlet = context.signal.inlet.map {
        Inlet(output: $0.valueObserver, type: $0.type, isEndable: true)
      }
      return stream
    }
    return standIn.stream(of: source, in: context)
  }
}

/// The stand-in for a source; it emits to all current runs.
package final class StandIn {
  private let isSilenced: Bool
  private var runs: [(body: RunningBody, output: StreamObserver)] = []

  init(isSilenced: Bool) { self.isSilenced = isSilenced }

  fileprivate func stream(of source: any PreparedSource, in context: OperatorContext) -> Stream {
    let (stream, output) = Stream.pipe()
    // A silenced source is not even built: it might start a program.
    let observation = isSilenced ? nil : source.stream(in: context).observe(output)
    let body = context.body
    runs.append((body, output))
    body.onEnd { [weak self, unowned body] in
      // Nothing below the pipe would stop the source: its timers would hold the whole engine.
      observation?.dispose()
      self?.runs.removeAll { $0.body === body }
    }
    return stream
  }

  /// Emits an event from every run, within a turn.
  ///
  /// - Throws: `idle` or `ended` if there is no run.
  package func speak(in signal: RunningSignal, _ say: (StreamObserver) -> Void) throws(SendError) {
    if runs.isEmpty {
      throw signal.ending == nil
        ? .failed(SignalFailure(code: "idle", message: "no stub is running for this event")) : .ended
    }
    let present = runs
    signal.engine.turns.run {
      for run in present { say(run.output) }
    }
  }

  /// Ends the current runs; runs started by that continue.
  package func end(in signal: RunningSignal, with ending: SignalEnding) throws(SendError) {
    let over = runs.map(\.body)
    try speak(in: signal) { $0.end(with: ending) }
    runs.removeAll { run in over.contains { $0 === run.body } }
  }
}
