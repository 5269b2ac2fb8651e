package import Expressions
package import JSON

/// A regular expression with named groups, which converts a line to an object: jq's `capture`.
package struct LinePattern: Sendable {
  /// The treatment of a line without a match.
  package enum Unmatched: String, CaseIterable, Sendable {
    /// The line is rejected.
    case error
    /// The line has no value, and is not an error.
    case skip
    /// The whole line is the value, as a string.
    case emit
  }

  private let capture: Expression
  private let unmatched: Unmatched

  /// - Throws: The error in the expression, with a message for users.
  init(_ source: String, unmatched: Unmatched = .error) throws(SignalFailure) {
    self.unmatched = unmatched
    guard Self.hasNamedGroup(source) else {
      throw .badValue("the regular expression needs a named group, such as (?<name>…)")
    }
    do {
      // A JSON string means the same in an expression, without interpolation.
      capture = try Expression("capture(\(JSONValue.string(source)))")
      _ = try capture.first("", Environment())
    } catch let error as ExpressionError {
      throw .badValue(error.message)
    } catch {
      throw .badValue("\(error)")
    }
  }

  private static func hasNamedGroup(_ source: String) -> Bool {
    var rest = Array(source.utf8)[...]
    let opening = Array("(?<".utf8)
    while let start = rest.firstIndex(of: UInt8(ascii: "(")) {
      rest = rest[start...]
      if rest.starts(with: opening), let next = rest.dropFirst(3).first, !"=!".utf8.contains(next) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Returns the groups of the first match; one that took no part is null.
  ///
  /// - Returns: The value, or `nil` for a line that is skipped.
  package func value(of line: String, _ environment: Environment) throws(SignalFailure) -> JSONValue? {
    do throws(ExpressionError) {
      if let value = try capture.first(.string(line), environment) { return value }
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: error.message)
    }
    switch unmatched {
    case .error: throw .badValue("line does not match the regular expression")
    case .skip: return nil
    case .emit: return .string(line)
    }
  }
}
