import Signals

/// Lets one execution in at a time, while a state allows it and shows the permission.
///
/// Both properties are derived from one, so that they change in the order in which executions begin and end.
final class StateGate<State>: @unchecked Sendable {
  private struct Condition {
    var value: State
    /// Nil until the state was read.
    var isAllowed: Bool?
    var isExecuting = false

    var isOpen: Bool { isAllowed == true && !isExecuting }
  }

  let isEnabled: Property<Bool>
  let isExecuting: Property<Bool>
  private let condition: MutableProperty<Condition>
  private let state: AnyObject

  init<Source: PropertyProtocol<State>>(
    _ state: Source, _ isAllowed: @escaping (State) -> Bool, during lifetime: Lifetime
  ) {
    let condition = MutableProperty(Condition(value: state.value))
    lifetime += state.producer.startWithValues { value in
      let isAllowed = isAllowed(value)
      condition.modify { ($0.value, $0.isAllowed) = (value, isAllowed) }
    }
    // The state is being delivered: the value it shows counts until the delivery ends.
    if condition.value.isAllowed == nil {
      let isAllowed = isAllowed(condition.value.value)
      condition.modify { $0.isAllowed = $0.isAllowed ?? isAllowed }
    }
    self.condition = condition
    self.state = state
    isEnabled = condition.map(\.isOpen).skipRepeats()
    isExecuting = condition.map(\.isExecuting).skipRepeats()
  }

  /// Begins an execution with the present state; nil if the state forbids one.
  func enter() -> State? {
    condition.modify { condition in
      guard condition.isOpen else { return nil }
      condition.isExecuting = true
      return condition.value
    }
  }

  /// Ends the execution.
  func leave() { condition.modify { $0.isExecuting = false } }
}
