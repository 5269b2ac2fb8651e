// An observer is two closures and one object that they work on (its link), handed to them at each call. Apart because
// of how Swift specialises:
//
// - Methods of a generic class called through its table are not specialised; closures formed in generic inlinable code
//   are. So an observer is closures, not a class with methods.
// - A closure is cloned for what it captures only if all of that is constant. With the object passed and not captured,
//   the closure of `map { $0 + 1 }` captures a function known at compile time, hence becomes one function of its own
//   with `$0 + 1` inside. Ten maps take 28 ns so, and 63 with closures that capture the next node: two indirect calls a
//   link instead of one, and all links share call instructions, which the processor then predicts badly.

/// What is done with the events of a signal.
///
/// The observer of a pipe is its input: sending to it sends to the pipe's signal.
public struct Observer<Value, Failure: Error> {
  /// The object that the closures work on, unretained: the observer itself holds it.
  @usableFromInline typealias Link = Unmanaged<AnyObject>?

  @usableFromInline let value: (Value, Link) -> Void
  @usableFromInline let ending: (Ending<Failure>, Link) -> Void
  @usableFromInline let link: AnyObject?

  /// An observer of values and of the ending: closures that may be called anywhere.
  @inlinable @inline(__always)
  public init(value: @escaping (Value) -> Void, ending: @escaping (Ending<Failure>) -> Void) {
    self.value = { next, _ in value(next) }
    self.ending = { last, _ in ending(last) }
    link = nil
  }

  /// An observer whose closures work on `link` and capture nothing else that varies.
  @inlinable @inline(__always) package init<Object: AnyObject>(
    link: Object, value: @escaping (Object, Value) -> Void, ending: @escaping (Object, Ending<Failure>) -> Void
  ) {
    self.value = { next, link in
      link.unsafelyUnwrapped._withUnsafeGuaranteedRef { value(unsafeDowncast($0, to: Object.self), next) }
    }
    self.ending = { last, link in
      link.unsafelyUnwrapped._withUnsafeGuaranteedRef { ending(unsafeDowncast($0, to: Object.self), last) }
    }
    self.link = link
  }

  @inlinable @inline(__always) func receive(_ value: Value) {
    self.value(value, link.map(Unmanaged.passUnretained))
  }

  @inlinable @inline(__always) func end(_ ending: Ending<Failure>) {
    self.ending(ending, link.map(Unmanaged.passUnretained))
  }
}

extension Observer {
  /// What is done with an event.
  public typealias Action = (Event<Value, Failure>) -> Void

  /// An observer of events.
  ///
  /// - Parameters:
  ///   - action: What is done with them.
  ///   - isolation: Where the closure may be called. If that is the main actor, it stops the program elsewhere.
  @inlinable public init(_ action: @escaping Action, isolation: (any Actor)? = #isolation) {
    let action = guarded(action, isolation)
    self.init(value: { action(.value($0)) }, ending: { action(Event($0)) })
  }

  /// An observer of what is asked for; the rest is ignored.
  ///
  /// - Parameters:
  ///   - value: What is done with a value.
  ///   - failed: What is done with the error.
  ///   - completed: What is done at the completion.
  ///   - interrupted: What is done at the interruption.
  ///   - isolation: Where the closures may be called. If that is the main actor, they stop the program elsewhere.
  @inlinable public init(
    value: ((Value) -> Void)? = nil, failed: ((Failure) -> Void)? = nil, completed: (() -> Void)? = nil,
    interrupted: (() -> Void)? = nil, isolation: (any Actor)? = #isolation
  ) {
    let (value, failed) = (guarded(orNone: value, isolation), guarded(orNone: failed, isolation))
    let (completed, interrupted) = (guarded(orNone: completed, isolation), guarded(orNone: interrupted, isolation))
    self.init(
      value: value ?? { _ in },
      ending: { ending in
        switch ending {
        case .failed(let error): failed?(error)
        case .completed: completed?()
        case .interrupted: interrupted?()
        }
      })
  }

  /// Sends an event.
  @inlinable public func send(_ event: Event<Value, Failure>) {
    if case .value(let value) = event { receive(value) } else if let ending = event.ending { end(ending) }
  }

  /// Sends a value.
  @inlinable @inline(__always) public func send(value: Value) { receive(value) }

  /// Sends an ending.
  @inlinable public func send(_ ending: Ending<Failure>) { end(ending) }

  /// Ends the signal with a failure.
  @inlinable public func send(error: Failure) { end(.failed(error)) }

  /// Ends the signal with `completed`.
  @inlinable public func sendCompleted() { end(.completed) }

  /// Ends the signal with `interrupted`.
  @inlinable public func sendInterrupted() { end(.interrupted) }
}

/// The input of a pipe may be used from any thread, if its values may; see `Signal` about closures.
extension Observer: @unchecked Sendable where Value: Sendable {}
