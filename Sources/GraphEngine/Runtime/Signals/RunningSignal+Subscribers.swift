import GraphModel
import JSON
import Signals

extension RunningSignal {
  /// Returns its stream for another body: the retained values at the start, and then all events.
  ///
  /// - Parameter place: The place where a body that was chosen while the graph runs observes it.
  func stream(for downstream: RunningBody, at place: DeclaredPlace) -> Stream {
    if isCold { return ownRun(for: downstream) }
    if isLazy { listen(downstream) }
    let earlier = earlier(for: downstream.view)
    if let ending { return downstream.generate(earlier, then: ending) }
    let output = output(to: downstream)
    let live = downstream.view == .connected ? output : Gate.stream(of: output, at: place)
    return earlier.isEmpty ? live : downstream.prefix(live, earlier)
  }

  func earlier(for view: RunningBody.View) -> [Payload] {
    let retained = retained.all
    guard view == .presentTurn, let present = memory?.presentTurn, let first = present.first else {
      return retained.map(\.payload)
    }
    return (retained.prefix { $0.sequence < first.sequence } + present).map(\.payload)
  }

  /// Records the values of each turn until its end, for operators that choose this signal in that turn.
  func recordTurns() { remembering().isRecorded = true }

  /// True if another signal depends on it.
  var hasDependents: Bool { outlet.map { !$0.isEmpty } ?? false }

  private func output(to body: RunningBody) -> Stream {
    let outlet = outlet ?? Outlet()
    self.outlet = outlet
    return outlet.stream(for: body)
  }

  private func ownRun(for downstream: RunningBody) -> Stream {
    let kept = KeptBody()
    let run = RunningBody(of: self, for: downstream.owner, view: downstream.view, kept: kept.kept)
    kept.body = run
    let stream = run.build()
    downstream.add(run)
    downstream.onEnd { run.end() }
    return stream
  }

  private func listen(_ downstream: RunningBody) {
    addSubscriber()
    build()
    downstream.onStart { [self] in start() }
    downstream.onEnd { [self] in removeSubscriber() }
  }

  /// True if it has subscribers.
  var isObserved: Bool { !listeners.isEmpty }

  /// Adds a subscriber; a lazy signal has to be built and started for it.
  package func addSubscriber() {
    listeners.addSubscriber()
    if isMirror, isLazy, listeners.count == 1 { engine.mirrors.onListening(self) }
  }

  /// Removes a subscriber; a lazy signal stops with the last one.
  func removeSubscriber() {
    listeners.removeSubscriber()
    if isMirror, isLazy, listeners.isEmpty { engine.mirrors.onListening(self) }
    if !engine.isReplacing { rest() }
  }

  /// Stops a lazy signal without subscribers.
  func rest() {
    if isLazy, listeners.isEmpty, body != nil { stop() }
  }
}
