import CThread

// A closure written in code of the main actor belongs to the main actor, though its type need not say so: one in a
// method of a `@MainActor` class may use that class's members. Signals call closures on the sending thread. So each
// function that observes or starts receives the isolation of its call (`#isolation`). In code of no actor that is nil
// at compile time, so that the check costs nothing there, neither on observing nor at an event.

/// Returns the action itself or, if `isolation` is the main actor, one that traps when it is called elsewhere.
@inlinable @inline(__always) func guarded<Input>(
  _ action: @escaping (Input) -> Void, _ isolation: (any Actor)?
) -> (Input) -> Void {
  guard let isolation, isolation === MainActor.shared else { return action }
  return { input in
    refuseElsewhere()
    action(input)
  }
}

/// Returns the guarded form of an optional closure.
@inlinable @inline(__always) func guarded<Input>(
  orNone action: ((Input) -> Void)?, _ isolation: (any Actor)?
) -> ((Input) -> Void)? {
  guard let action else { return nil }
  return guarded(action, isolation)
}

/// Returns the guarded form of an optional closure without parameters.
@inlinable @inline(__always) func guarded(
  orNone action: (() -> Void)?, _ isolation: (any Actor)?
) -> (() -> Void)? {
  guard let action, let isolation, isolation === MainActor.shared else { return action }
  return {
    refuseElsewhere()
    action()
  }
}

@usableFromInline func refuseElsewhere() {
  // Not `MainActor.preconditionIsolated`, which Dispatch terminates before its message is printed.
  precondition(
    UIScheduler.isOnMainQueue || signalbox_is_main_thread(),
    "an event came on another thread to a closure of the main actor: bring events there with observeValues(on: "
      + "MainActor.self) or observe(on: UIScheduler()), or say isolation: nil if the closure may be called anywhere")
}
