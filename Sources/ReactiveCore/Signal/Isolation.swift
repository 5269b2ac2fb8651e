import CThread

// A closure that is written in code of the main actor belongs to the main actor, though its type need not say so: one
// in a method of a `@MainActor` class may use that class's members. Signals call closures on the thread that sends. So
// each function that observes or starts is told by the compiler where its call stands (`#isolation`). In code that
// belongs to no actor that is nil when it is compiled, so that the check costs nothing there, neither when it observes
// nor at an event.

/// The action itself or, if `isolation` is the main actor, one that stops the program when it is called elsewhere.
@inlinable @inline(__always) func guarded<Input>(
  _ action: @escaping (Input) -> Void, _ isolation: (any Actor)?
) -> (Input) -> Void {
  guard let isolation, isolation === MainActor.shared else { return action }
  return { input in
    refuseElsewhere()
    action(input)
  }
}

/// The same, of a closure that may be left out.
@inlinable @inline(__always) func guarded<Input>(
  orNone action: ((Input) -> Void)?, _ isolation: (any Actor)?
) -> ((Input) -> Void)? {
  guard let action else { return nil }
  return guarded(action, isolation)
}

/// The same, of a closure that takes nothing and may be left out.
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
  // Not `MainActor.preconditionIsolated`, which Dispatch ends before it has said its message.
  precondition(
    UIScheduler.isOnMainQueue || signalbox_is_main_thread(),
    "an event came on another thread to a closure of the main actor: bring events there with observeValues(on: "
      + "MainActor.self) or observe(on: UIScheduler()), or say isolation: nil if the closure may be called anywhere")
}
