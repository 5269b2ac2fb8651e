extension Signal {
  /// Returns the signal that an operator makes of this one; it shares this signal's domain.
  @inlinable @inline(__always) func apply<Op: Operator>(_ operation: Op) -> Signal<Op.Output, Op.OutputFailure>
  where Op.Input == Value, Op.Failure == Failure {
    let derived = Node<Op.Output, Op.OutputFailure>(domain: node.domain)
    let slot = Slot(operation.observer(for: derived), node: node)
    if !node.isMute { derived.source = slot }
    node.place(slot)
    return Signal<Op.Output, Op.OutputFailure>(derived)
  }

  /// Returns the signal that an operator makes of this one, in a domain of its own.
  @inlinable package func apply<Op: ScopedOperator>(_ operation: Op) -> Signal<Op.Output, Op.OutputFailure>
  where Op.Input == Value, Op.Failure == Failure {
    Signal<Op.Output, Op.OutputFailure>.joined { derived, scope in
      feed(operation.observer(for: derived, in: scope), in: scope)
    }
  }

  /// Returns the signal that an operator makes of this one and another.
  @inlinable func apply<Op: Join>(
    _ operation: Op, with other: Signal<Op.Right, Op.RightFailure>
  ) -> Signal<Op.Output, Op.OutputFailure> where Op.Left == Value, Op.LeftFailure == Failure {
    Signal<Op.Output, Op.OutputFailure>.joined { derived, scope in
      let (left, right) = operation.observers(for: derived, in: scope)
      if Op.startsRightFirst { other.feed(right, in: scope) }
      feed(left, in: scope)
      if !Op.startsRightFirst { other.feed(right, in: scope) }
    }
  }

  /// Returns the signal that an operator makes of any number of signals; completed if there are none.
  @inlinable static func apply<Op: CollectionJoin>(
    _ operation: Op, to signals: [Signal]
  ) -> Signal<Op.Output, Failure> where Op.Input == Value, Op.Failure == Failure {
    guard !signals.isEmpty else { return .empty }
    return Signal<Op.Output, Failure>.joined { derived, scope in
      let observers = operation.observers(for: derived, count: signals.count)
      for (signal, observer) in Swift.zip(signals, observers) { signal.feed(observer, in: scope) }
    }
  }

  /// Returns a signal in a domain of its own, fed by the observations of `connect`.
  @inlinable static func joined(_ connect: (Node<Value, Failure>, Scope) -> Void) -> Signal {
    let scope = Scope()
    let derived = Node<Value, Failure>(domain: scope)
    derived.source = scope
    connect(derived, scope)
    return Signal(derived)
  }

  /// Sends this signal's events to `observer` within `scope`, until the scope is disposed of.
  @inlinable func feed(_ observer: Observer, in scope: Scope) {
    guard !node.isMute else { return }
    attach(observer.entering(scope), for: scope)
  }

  /// Sends this signal's events to `observer`, which takes the scope's domain when needed, until the scope is disposed
  /// of.
  @inlinable func attach(_ observer: Observer, for scope: Scope) {
    guard !node.isMute else { return }
    // An observation, not the slot itself: it releases the slot when this signal ends, even if the scope lives on.
    let observation = Observation()
    let slot = Slot(observer, node: node, observation: observation)
    observation.begin(slot)
    scope.hold(observation)
    node.place(slot)
  }
}
