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

  private let capture: Capture
  private let unmatched: Unmatched

  /// - Throws: The error in the expression, with a message for users.
  init(_ source: String, unmatched: Unmatched = .error) throws(SignalFailure) {
    self.unmatched = unmatched
    guard Self.hasNamedGroup(source) else {
      throw .badValue("the regular expression needs a named group, such as (?<name>…)")
    }
    do throws(ExpressionError) {
      capture = try Capture(source)
    } catch {
      throw .badValue(error.message)
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
  /// - Parameter line: A text in UTF-8.
  /// - Returns: The value, or `nil` for a line that is skipped.
  package func value(
    of line: UnsafeBufferPointer<UInt8>, _ environment: Environment
  ) throws(SignalFailure) -> Payload? {
    do throws(ExpressionError) {
      if let value = try capture.first(in: line, environment) { return value }
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: error.message)
    }
    switch unmatched {
    case .error: throw .badValue("line does not match the regular expression")
    case .skip: return nil
    case .emit: return .value(.string(String(decoding: line, as: UTF8.self)))
    }
  }
}
