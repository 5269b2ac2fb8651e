/// The signals that an action has.
package enum ActionSignal: String {
  /// Each output of any run.
  case values
  /// `{code, message}` for each run that fails, with the program's exit `status` where it has one.
  case errors
  /// True while it runs.
  case executing
  /// True while it may be called: its `enabled_if` is true, and it does not run.
  case enabled
  /// The value of its `enabled_if`, for the pipes that call it; hidden from clients.
  case condition

  /// The signals that clients can see.
  package static let visible: [ActionSignal] = [.values, .errors, .executing, .enabled]
  /// All signals, each after those that it is computed from.
  package static let all = [.condition] + visible

  /// Returns its full name.
  ///
  /// - Parameter action: The full name of its action.
  package func name(of action: String) -> String { "\(action).\(rawValue)" }

  /// Indicates that a full name is that of an action's condition.
  static func isCondition(_ name: String) -> Bool {
    name.hasSuffix(".\(condition.rawValue)") && name.count { $0 == "." } == 2
  }

  /// True if it holds its last value and has one from the start.
  package var isHeld: Bool { self != .values && self != .errors }

  package var documentation: String {
    switch self {
    case .values: "The outputs of the action"
    case .errors: "Failed runs of the action"
    case .executing: "True while the action runs"
    case .enabled: "True while the action may be called"
    case .condition: "True while pipes may call the action"
    }
  }
}
