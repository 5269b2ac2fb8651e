package import JSON

/// The reason for which an evaluation failed: an error of the expression itself, or an exceeded bound.
package struct ExpressionError: Error, Sendable {
  /// The kind of the error, as encoded in the protocol.
  package enum Code: String, Sendable {
    /// The value does not match the expression, or the expression raised an error.
    case badValue = "bad_value"
    /// The evaluation exceeded the bound on steps, result size or depth.
    case limit
  }

  // One word, so that throwing functions stay cheap to call.
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

  /// Returns the error of an unsuitable value, in jq's words.
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

  /// Unwinds to a label.
  init(breakTo label: AnyObject) {
    storage = Storage(.badValue, "break", nil, ObjectIdentifier(label))
  }

  func isBreak(to label: AnyObject) -> Bool { storage.label == ObjectIdentifier(label) }

  /// True if `try` and `?` catch it; exceeded bounds and `break` are not caught.
  var isCatchable: Bool { code == .badValue && storage.label == nil }

  /// The input of `catch`.
  var caught: JSONValue { value ?? .string(message) }
}
