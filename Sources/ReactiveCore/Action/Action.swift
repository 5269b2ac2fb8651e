/// Work that is done on demand, one execution at a time, while a state allows it.
///
/// A start of what `apply` gives executes the work, or fails with `ActionError.disabled` if it is disabled or being
/// executed already, even by another thread. An execution keeps its action. When the action is let go its signals
/// complete.
public final class Action<Input, Output, Failure: Error> {
  /// Ends when the action is let go.
  public let lifetime: Lifetime

  /// The events of all executions, as values.
  public let events: Signal<Event<Output, Failure>, Never>

  /// The values of all executions.
  public let values: Signal<Output, Never>

  /// The errors of all executions that failed; not of those that were refused.
  public let errors: Signal<Failure, Never>

  /// A value each time an execution completes.
  public let completed: Signal<(), Never>

  /// A value each time an execution is refused.
  public let disabledErrors: Signal<(), Never>

  /// True while an execution goes on.
  public let isExecuting: Property<Bool>

  /// True while an execution may begin: the state allows it and none goes on.
  public let isEnabled: Property<Bool>

  private let eventsInput: Observer<Event<Output, Failure>, Never>
  private let disabledErrorsInput: Observer<(), Never>
  private let execute: (Action, Input) -> SignalProducer<Output, ActionError<Failure>>
  private let token: Lifetime.Token

  /// An action that is enabled while its state passes a test, and executes what is made of the state and the input.
  ///
  /// The action keeps the state.
  ///
  /// - Parameters:
  ///   - state: The property that the action looks at.
  ///   - isEnabled: The test of the state.
  ///   - execute: Makes the work of an execution from the state's value and the input.
  public init<State: PropertyProtocol>(
    state: State, enabledIf isEnabled: @escaping (State.Value) -> Bool,
    execute: @escaping (State.Value, Input) -> SignalProducer<Output, Failure>
  ) {
    (lifetime, token) = Lifetime.make()
    (events, eventsInput) = Signal.pipe()
    (disabledErrors, disabledErrorsInput) = Signal.pipe()
    values = events.compactMap(\.value)
    errors = events.compactMap(\.error)
    completed = events.compactMap { $0.isCompleted ? () : nil }
    let gate = StateGate(state, isEnabled, during: lifetime)
    self.isEnabled = gate.isEnabled
    isExecuting = gate.isExecuting
    self.execute = { action, input in
      SignalProducer { observer, lifetime in
        guard let value = gate.enter() else { return action.refuse(observer) }
        let run = Run()
        execute(value, input).start(action.forwarder(to: observer, gate.leave), as: run) { lifetime += $0 }
      }
    }
  }

  deinit {
    eventsInput.sendCompleted()
    disabledErrorsInput.sendCompleted()
  }

  /// A producer that executes the work at each start, or fails if it may not.
  ///
  /// Disposing of its run interrupts the execution.
  ///
  /// - Parameter input: The input of each execution.
  /// - Returns: A producer that fails with `ActionError.disabled` if the action may not be executed, and with
  ///   `.producerFailed` if the work fails.
  public func apply(_ input: Input) -> SignalProducer<Output, ActionError<Failure>> { execute(self, input) }

  private func refuse(_ observer: Observer<Output, ActionError<Failure>>) {
    observer.send(error: .disabled)
    disabledErrorsInput.send(value: ())
  }

  /// The observer of an execution: it hears an ending first, then the next may begin, then the action's signals tell.
  private func forwarder(
    to observer: Observer<Output, ActionError<Failure>>, _ leave: @escaping () -> Void
  ) -> Observer<Output, Failure> {
    Observer { event in
      observer.send(event.mapError(ActionError.producerFailed))
      if event.isTerminating { leave() }
      self.eventsInput.send(value: event)
    }
  }
}

/// An action may be used from any thread; see `Signal` about values and closures.
extension Action: @unchecked Sendable where Input: Sendable, Output: Sendable {}

extension Action: BindingTargetProvider {
  /// Executes the action with each value, until the action is let go; a value that comes meanwhile is refused.
  public var bindingTarget: BindingTarget<Input> {
    BindingTarget(lifetime: lifetime) { [weak self] in self?.apply($0).start() }
  }
}
