import Expressions
import JSON

/// A regular expression with named groups, which makes an object of a line: jq's `capture`.
struct LinePattern: Sendable {
  private let capture: Expression

  /// - Throws: the reason why it cannot be one, for people.
  init(_ source: String) throws(SignalFailure) {
    guard Self.hasNamedGroup(source) else {
      throw .badValue("a regular expression needs a named group, such as (?<name>…), to make an object of a line")
    }
    do {
      // The text of a string in JSON is the same in an expression, with nothing put into it.
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

  /// The groups of the first match; one that took no part is null.
  func value(of line: String, _ environment: Environment) throws(SignalFailure) -> JSONValue {
    do throws(ExpressionError) {
      if let value = try capture.first(.string(line), environment) { return value }
    } catch {
      throw SignalFailure(code: error.code.rawValue, message: error.message)
    }
    throw .badValue("a line that the regular expression does not match")
  }
}
