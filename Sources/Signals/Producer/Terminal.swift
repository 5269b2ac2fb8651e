/// A receiver of interruptions.
@usableFromInline package protocol Interruptible: AnyObject {
  /// The scheduler that delivers the interruption of a disposed run; nil: the disposing thread delivers it at once.
  var scheduler: (any Scheduler)? { get }

  /// Sends `interrupted`; the domain is held.
  func interrupt()
}

extension Interruptible {
  @usableFromInline package var scheduler: (any Scheduler)? { nil }
}

extension Observer {
  /// True if this is the observer of a run's head itself: of its terminal, or of a relay that was given back.
  ///
  /// An operator's observer may be linked to them too while they are taken, and must receive an interruption first.
  @inlinable var isOfHead: Bool {
    guard let link else { return false }
    if type(of: link) == Terminal<Value, Failure>.self {
      return !unsafeDowncast(link, to: Terminal<Value, Failure>.self).isTaken
    }
    return type(of: link) == Relay<Value, Failure>.self
      && !unsafeDowncast(link, to: Relay<Value, Failure>.self).isTaken
  }
}

/// The observer of a run: it forwards nothing once the run was disposed of or has ended.
@usableFromInline final class Terminal<Value, Failure: Error>: Receiver, Interruptible {
  @usableFromInline let observer: Observer<Value, Failure>
  @usableFromInline let run: Unmanaged<Run>

  /// The scope that the observer is called within, if it belongs to a join: stored here to save an object.
  @usableFromInline let scope: Scope?

  /// True once the last operator of the run sends here without an observer between.
  @exclusivity(unchecked) @usableFromInline var isTaken = false

  @inlinable init(_ observer: Observer<Value, Failure>, _ run: Run, entering scope: Scope? = nil) {
    self.observer = observer
    self.run = Unmanaged.passUnretained(run)
    self.scope = scope
  }

  /// Returns the terminal of an observer to the first operator that asks: the last of the chain.
  ///
  /// The observer that this one makes for the operator before it is linked to the terminal too, but must not be
  /// bypassed.
  @inlinable @inline(__always) static func taken(from observer: Observer<Value, Failure>) -> Terminal? {
    guard let link = observer.link, type(of: link) == Terminal.self else { return nil }
    let terminal = unsafeDowncast(link, to: Terminal.self)
    guard !terminal.isTaken else { return nil }
    terminal.isTaken = true
    return terminal
  }

  /// The observer that the last operator sends to.
  @inlinable @inline(__always) var asObserver: Observer<Value, Failure> {
    Observer(link: self, value: { $0.receive($1) }, ending: { $0.end($1) })
  }

  @inlinable @inline(__always) func receive(_ value: Value) {
    guard run._withUnsafeGuaranteedRef({ $0.mayDeliver }) else { return }
    if let scope { enter(scope, with: value) } else { observer.receive(value) }
  }

  @inlinable @inline(__always) func enter(_ scope: Scope, with value: Value) {
    if scope.enter() {
      observer.receive(value)
      scope.leave()
    } else {
      scope.queue { [observer] in observer.receive(value) }
    }
  }

  // Inlinable although it happens once a run: unspecialised, it asks the runtime for the type of the ending, 40 ns.
  @inlinable func end(_ ending: Ending<Failure>) {
    run._withUnsafeGuaranteedRef { run in
      guard run.finish() else { return }
      if let scope { enter(scope, with: ending) } else { observer.end(ending) }
      run.close()
    }
  }

  @inlinable func enter(_ scope: Scope, with ending: Ending<Failure>) {
    if scope.enter() {
      observer.end(ending)
      scope.leave()
    } else {
      scope.queue { [observer] in observer.end(ending) }
    }
  }

  @inlinable func interrupt() { end(.interrupted) }

  @inlinable func giveBack() { isTaken = false }
}

/// An observer as a receiver, and as the head of a run.
@usableFromInline package final class Relay<Value, Failure: Error>: Receiver, Interruptible {
  @usableFromInline let observer: Observer<Value, Failure>

  /// True while an operator uses the relay, which is created for one.
  @exclusivity(unchecked) @usableFromInline var isTaken = true

  @inlinable package init(_ observer: Observer<Value, Failure>) { self.observer = observer }

  /// Returns the relay of an observer, if it was given back.
  @inlinable static func taken(from observer: Observer<Value, Failure>) -> Relay? {
    guard let link = observer.link, type(of: link) == Relay.self else { return nil }
    let relay = unsafeDowncast(link, to: Relay.self)
    guard !relay.isTaken else { return nil }
    relay.isTaken = true
    return relay
  }

  @inlinable package func giveBack() { isTaken = false }

  @inlinable @inline(__always) package func receive(_ value: Value) { observer.receive(value) }
  @inlinable package func end(_ ending: Ending<Failure>) { observer.end(ending) }
  @inlinable package func interrupt() { observer.end(.interrupted) }
}

/// The head of a run whose last operator delivers on a scheduler: the interruption is delivered there too.
@usableFromInline final class ScheduledHead: Interruptible {
  @usableFromInline let scheduler: (any Scheduler)?
  private let head: any Interruptible

  @usableFromInline init(_ head: any Interruptible, on scheduler: any Scheduler) {
    self.head = head
    self.scheduler = scheduler
  }

  @usableFromInline func interrupt() { head.interrupt() }
}
