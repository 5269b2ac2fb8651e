public import Signals

extension Action {
  /// An action that is always enabled, and executes work made from its state and the input.
  ///
  /// - Parameters:
  ///   - state: The property that the work depends on.
  ///   - execute: Makes the work of an execution from the state's value and the input.
  public convenience init<State: PropertyProtocol>(
    state: State, execute: @escaping (State.Value, Input) -> SignalProducer<Output, Failure>
  ) {
    self.init(state: state, enabledIf: { _ in true }, execute: execute)
  }

  /// An action that is enabled while a property is true.
  ///
  /// - Parameters:
  ///   - isEnabled: The condition.
  ///   - execute: Makes the work of an execution from the input.
  public convenience init<Condition: PropertyProtocol>(
    enabledIf isEnabled: Condition, execute: @escaping (Input) -> SignalProducer<Output, Failure>
  ) where Condition.Value == Bool {
    self.init(state: isEnabled, enabledIf: { $0 }) { _, input in execute(input) }
  }

  /// An action that is enabled while its state is not nil.
  ///
  /// - Parameters:
  ///   - state: The property that the action reads.
  ///   - execute: Makes the work of an execution from the state's value, unwrapped, and the input.
  public convenience init<State: PropertyProtocol, Wrapped>(
    unwrapping state: State, execute: @escaping (Wrapped, Input) -> SignalProducer<Output, Failure>
  ) where State.Value == Wrapped? {
    self.init(state: state, enabledIf: { $0 != nil }) { value, input in
      guard let value else { preconditionFailure("an action was executed with a state that does not allow it") }
      return execute(value, input)
    }
  }

  /// An action that is enabled while the value last proposed to its state is valid.
  ///
  /// - Parameters:
  ///   - state: The property that the action reads.
  ///   - execute: Makes the work of an execution from the valid value and the input.
  public convenience init<Value, ValidationError>(
    validated state: ValidatingProperty<Value, ValidationError>,
    execute: @escaping (Value, Input) -> SignalProducer<Output, Failure>
  ) {
    self.init(unwrapping: state.result.map(\.value), execute: execute)
  }

  /// An action that is always enabled.
  ///
  /// - Parameter execute: Makes the work of an execution from the input.
  public convenience init(execute: @escaping (Input) -> SignalProducer<Output, Failure>) {
    self.init(enabledIf: Property(value: true), execute: execute)
  }
}

extension Action where Input == Void {
  /// A producer that executes the work at each start, or fails if the action is disabled.
  public func apply() -> SignalProducer<Output, ActionError<Failure>> { apply(()) }

  /// An action without input that is always enabled, and executes work made from its state.
  ///
  /// - Parameters:
  ///   - state: The property that the work depends on.
  ///   - execute: Makes the work of an execution from the state's value.
  public convenience init<State: PropertyProtocol, Value>(
    state: State, execute: @escaping (Value) -> SignalProducer<Output, Failure>
  ) where State.Value == Value {
    self.init(state: state) { value, _ in execute(value) }
  }

  /// An action without input that is enabled while its state is not nil.
  ///
  /// - Parameters:
  ///   - state: The property that the action reads.
  ///   - execute: Makes the work of an execution from the state's value, unwrapped.
  public convenience init<State: PropertyProtocol, Wrapped>(
    unwrapping state: State, execute: @escaping (Wrapped) -> SignalProducer<Output, Failure>
  ) where State.Value == Wrapped? {
    self.init(unwrapping: state) { value, _ in execute(value) }
  }

  /// An action without input that is enabled while the value last proposed to its state is valid.
  ///
  /// - Parameters:
  ///   - state: The property that the action reads.
  ///   - execute: Makes the work of an execution from the valid value.
  public convenience init<Value, ValidationError>(
    validated state: ValidatingProperty<Value, ValidationError>,
    execute: @escaping (Value) -> SignalProducer<Output, Failure>
  ) {
    self.init(validated: state) { value, _ in execute(value) }
  }
}
