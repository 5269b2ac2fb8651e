package import JSON

/// Why an expression gave no result for a value: an error of the expression's own, or a bound that it ran into.
package struct ExpressionError: Error, Sendable {
  /// The kind of the error, as it stands in errors on the wire.
  package enum Code: String, Sendable {
    /// The value does not fit the expression, or the expression raised an error.
    case badValue = "bad_value"
    /// The evaluation took too many steps, made too large a result, or went too deep.
    case limit
  }

  // One word, so that functions that may fail stay cheap to call.
  private let storage: Storage

  private final class Storage: Sendable {
    let code: Code
    let message: String
    let value: JSONValue?
    let label: ObjectIdentifier?

    init(_ code: Code, _ message: String, _ value: JSONValue?, _ label: ObjectIdentifier?) {
      self.code = code
      self.message = message
      self.value = value
      self.label = label
    }
  }

  package var code: Code { storage.code }
  package var message: String { storage.message }
  /// The value that `error(value)` raised; other errors have only a message.
  package var value: JSONValue? { storage.value }

  package init(_ code: Code, _ message: String) {
    storage = Storage(code, message, nil, nil)
  }

  /// The error of a value that does not fit, in jq's words.
  static func badValue(_ message: String) -> ExpressionError { ExpressionError(.badValue, message) }

  /// The error that `error(value)` raises.
  init(raised value: JSONValue) {
    let message: String
    switch value.plain {
    case .string(let text): message = text
    case .object, .array: message = "\(value.excerpt) (not a string)"
    default: message = "\(value.typeName) (\(value.excerpt)) not a string"
    }
    storage = Storage(.badValue, message, value, nil)
  }

  /// Leaves everything up to a label.
  init(breakTo label: Scope) {
    storage = Storage(.badValue, "break", nil, ObjectIdentifier(label))
  }

  func isBreak(to label: Scope) -> Bool { storage.label == ObjectIdentifier(label) }

  /// Whether `try` and `?` catch it; bounds and `break` pass through.
  var isCatchable: Bool { code == .badValue && storage.label == nil }

  /// The input of `catch`.
  var caught: JSONValue { value ?? .string(message) }
}
