public import Signals

/// Work that is done on demand, one execution at a time, while a state allows it.
///
/// Starting a producer of `apply` executes the work, or fails with `ActionError.disabled` if the action is disabled or
/// already executing, even on another thread. An execution retains its action. The action's signals complete when it is
/// deallocated.
public final class Action<Input, Output, Failure: Error> {
  /// The lifetime of the action.
  public let lifetime: Lifetime

  /// The events of all executions, as values.
  public let events: Signal<Event<Output, Failure>, Never>

  /// The values of all executions.
  public let values: Signal<Output, Never>

  /// The errors of all executions that failed, without refusals.
  public let errors: Signal<Failure, Never>

  /// A value each time an execution completes.
  public let completed: Signal<(), Never>

  /// A value each time an execution is refused.
  public let disabledErrors: Signal<(), Never>

  /// True during an execution.
  public let isExecuting: Property<Bool>

  /// True while an execution may begin: the state allows it and none is under way.
  public let isEnabled: Property<Bool>

  private let eventsInput: Observer<Event<Output, Failure>, Never>
  private let disabledErrorsInput: Observer<(), Never>
  private let execute: (Action, Input) -> SignalProducer<Output, ActionError<Failure>>
  private let token: Lifetime.Token

  /// An action that is enabled while its state passes a test, and executes work made from the state and the input.
  ///
  /// The action retains the state.
  ///
  /// - Parameters:
  ///   - state: The property that the action reads.
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

  /// A producer that executes the work at each start, or fails if the action is disabled.
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

  /// Returns the observer of an execution: its ending is forwarded first, then the next execution may begin, then the
  /// action's signals emit.
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
  /// Executes the action with each value until the action is deallocated; a value that arrives during an execution is
  /// refused.
  public var bindingTarget: BindingTarget<Input> {
    BindingTarget(lifetime: lifetime) { [weak self] in self?.apply($0).start() }
  }
}
