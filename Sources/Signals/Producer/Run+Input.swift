// A producer's work sends to an observer that is linked to its run and forwards to the run's head: from any thread,
// until the run ends. After that the observer retains nothing else.

extension SignalProducer {
  /// Begins a run whose work sends to `observer` through the result; nil if the run is over and must not begin.
  @inlinable static func input(of run: Run, to observer: Observer) -> Observer? {
    guard run.begin(with: Relay(observer)) else { return nil }
    return Observer(link: run, value: { send($1, in: $0) }, ending: { send($1, in: $0) })
  }

  @inlinable static func send(_ value: Value, in run: Run) {
    guard run.isLive else { return }
    if run.enter() {
      run.withHead(Relay<Value, Failure>.self) { $0.receive(value) }
      run.leave()
    } else {
      run.queue { run.withHead(Relay<Value, Failure>.self) { $0.receive(value) } }
    }
  }

  @inlinable static func send(_ ending: Ending<Failure>, in run: Run) {
    guard run.isLive else { return }
    if run.enter(for: ending) {
      run.withHead(Relay<Value, Failure>.self) { $0.end(ending) }
      run.leave()
    } else {
      run.queue(ending) { run.withHead(Relay<Value, Failure>.self) { $0.end(ending) } }
    }
  }
}

extension Run {
  /// Calls the head without a retain: it is kept alive during the call, though the run may end meanwhile.
  @inlinable @inline(__always) final func withHead<Head: AnyObject>(_: Head.Type, _ call: (Head) -> Void) {
    guard let head = head as AnyObject?, type(of: head) == Head.self else { return }
    isCallingHead = true
    Unmanaged.passUnretained(unsafeDowncast(head, to: Head.self))._withUnsafeGuaranteedRef(call)
    isCallingHead = false
    if hasEnded { self.head = nil }
  }
}
