/// What a producer's work sends to: from any thread, until the run ends; then it holds nothing any more.
@usableFromInline final class RunInput<Value, Failure: Error>: Interruptible {
  @usableFromInline let run: Run
  /// The observer, in an object of its own, so that calling it takes no retain and it can be let go.
  @exclusivity(unchecked) @usableFromInline var relay: Unmanaged<Relay<Value, Failure>>?

  @inlinable init(_ observer: Observer<Value, Failure>, _ run: Run) {
    self.run = run
    relay = .passRetained(Relay(observer))
  }

  deinit { relay?.release() }

  @inlinable func send(_ value: Value) {
    guard run.isLive else { return }
    if run.enter() {
      receive(value)
      run.leave()
    } else {
      run.queue { self.receive(value) }
    }
  }

  @inlinable func send(_ ending: Ending<Failure>) {
    guard run.isLive else { return }
    if run.enter() {
      end(ending)
      run.leave()
    } else {
      run.queue { self.end(ending) }
    }
  }

  @inlinable func interrupt() { end(.interrupted) }

  @inlinable func receive(_ value: Value) {
    relay?._withUnsafeGuaranteedRef { $0.receive(value) }
    letGoIfOver()
  }

  @inlinable func end(_ ending: Ending<Failure>) {
    relay?._withUnsafeGuaranteedRef { $0.end(ending) }
    letGoIfOver()
  }

  /// Called between two deliveries: an operator may have ended the run in the middle of one.
  @inlinable func letGoIfOver() {
    guard run.hasEnded else { return }
    relay?.release()
    relay = nil
  }
}
