// An observer is two closures and one object that they work on (its link), passed at each call. They are separate
// because of Swift's specialisation:
//
// - Methods of a generic class called through its table are not specialised; closures formed in generic inlinable code
//   are. So an observer is closures, not a class with methods.
// - A closure is cloned for what it captures only if all of that is constant. With the object passed and not captured,
//   the closure of `map { $0 + 1 }` captures a function known at compile time, hence becomes one function of its own
//   with `$0 + 1` inside. Ten maps take 28 ns this way, and 63 with closures that capture the next node: two indirect
//   calls a link instead of one, and all links share call instructions, which the processor then predicts badly.

/// The actions for the events of a signal.
///
/// The observer of a pipe is its input: sending to it sends to the pipe's signal.
public struct Observer<Value, Failure: Error> {
  /// The object that the closures work on, unretained: the observer itself holds it.
  @usableFromInline typealias Target = Unmanaged<AnyObject>?

  @usableFromInline let value: (Value, Target) -> Void
  @usableFromInline let ending: (Ending<Failure>, Target) -> Void
  @usableFromInline let link: AnyObject?

  /// An observer of values and of the ending: closures that may be called anywhere.
  @inlinable @inline(__always)
  public init(value: @escaping (Value) -> Void, ending: @escaping (Ending<Failure>) -> Void) {
    self.value = { next, _ in value(next) }
    self.ending = { last, _ in ending(last) }
    link = nil
  }

  /// Creates an observer whose closures work on `link` and capture nothing else that varies.
  @inlinable @inline(__always) package init<Object: AnyObject>(
    link: Object, value: @escaping (Object, Value) -> Void, ending: @escaping (Object, Ending<Failure>) -> Void
  ) {
    self.value = { next, link in withObject(of: link, as: Object.self) { value($0, next) } }
    self.ending = { last, link in withObject(of: link, as: Object.self) { ending($0, last) } }
    self.link = link
  }

  /// Creates an observer that sends to `downstream` the result of `value` with a user's closure, its only capture.
  ///
  /// Where that closure is not known at compile time, as in a chain built in a loop, a link takes two indirect calls;
  /// with the initialiser above, whose closure captures another that captures it, three.
  @inlinable @inline(__always) init<Downstream: Receiver<Output, Failure>, Output>(
    to downstream: Downstream, value: @escaping (Value, Target) -> Void
  ) {
    self.value = value
    ending = { last, link in withObject(of: link, as: Downstream.self) { $0.end(last) } }
    link = downstream
  }

  @inlinable @inline(__always) package func receive(_ value: Value) {
    self.value(value, link.map(Unmanaged.passUnretained))
  }

  @inlinable @inline(__always) package func end(_ ending: Ending<Failure>) {
    self.ending(ending, link.map(Unmanaged.passUnretained))
  }
}

/// Calls `body` with the object of a link, which the observer retains meanwhile.
@inlinable @inline(__always) func withObject<Object: AnyObject>(
  of link: Unmanaged<AnyObject>?, as type: Object.Type, _ body: (Object) -> Void
) {
  link.unsafelyUnwrapped._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: type)) }
}

extension Observer {
  /// An observer of events.
  ///
  /// - Parameters:
  ///   - action: Called with each event.
  ///   - isolation: The actor of the calling code, which the compiler fills in. If that is the main actor, the closure
  ///     stops the program when it is called elsewhere.
  @inlinable public init(_ action: @escaping (Event<Value, Failure>) -> Void, isolation: (any Actor)? = #isolation) {
    let action = guarded(action, isolation)
    self.init(value: { action(.value($0)) }, ending: { action(Event($0)) })
  }

  /// An observer of the given events; the others are ignored.
  ///
  /// - Parameters:
  ///   - value: Called with each value.
  ///   - failed: Called with the error of a failure.
  ///   - completed: Called at the completion.
  ///   - interrupted: Called at the interruption.
  ///   - isolation: The actor of the calling code, which the compiler fills in. If that is the main actor, the closures
  ///     stop the program when they are called elsewhere.
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
