import Base
import Expressions
import GraphModel
package import JSON

/// Converts the lines of one file or program to values.
final class LineParser {
  private let format: LineFormat
  /// The environment with its compiled patterns.
  private let environment: Environment
  /// Returns the bound on the next search.
  private let searchBound: () -> SearchBound

  init(
    _ format: LineFormat, _ environment: Environment = Environment(),
    searchBound: @escaping () -> SearchBound = { .time(evaluation: 0) }
  ) {
    (self.format, self.environment, self.searchBound) = (format, environment, searchBound)
  }

  /// Returns the value of a line; `nil` for a line without a value.
  ///
  /// These are a blank one except as text, one that names columns, and one that a regular expression skips.
  ///
  /// - Parameter columns: The columns that an earlier line has named.
  /// - Throws: `bad_value` for a line that is not UTF-8 or not in the format, `too_long`, `limit`.
  func payload(
    of line: LineCutter.Line, columns: inout [String]?, _ limits: Limits
  ) throws(SignalFailure) -> Payload? {
    guard case .whole(let bytes) = line else {
      throw SignalFailure(code: "too_long", message: "line exceeds \(limits.line) bytes (limits.line)")
    }
    switch format {
    case .json where !bytes.beginsAsUTF16: return try json(bytes)
    case .pattern(let pattern): return try captured(bytes, pattern, limits)
    default: break
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(bytes) }
    switch format {
    case .text, .json, .pattern: return .value(.string(text))
    case .logfmt: return try LogfmtLine.object(of: bytes).map { .value(.object($0)) }
    case .csv(let form): return try csv(bytes, form, &columns)
    }
  }

  private func captured(
    _ bytes: ArraySlice<UInt8>, _ pattern: LinePattern, _ limits: Limits
  ) throws(SignalFailure) -> Payload? {
    environment.limits = ExpressionLimits(steps: limits.expression, bytes: limits.value)
    environment.searchBound = searchBound()
    return try bytes.span.withUnsafeBufferPointer { text throws(SignalFailure) in
      guard text.isUTF8 else { throw .notText(bytes) }
      return try pattern.value(of: text, environment)
    }
  }

  private func json(_ bytes: ArraySlice<UInt8>) throws(SignalFailure) -> Payload? {
    guard bytes.contains(where: { !$0.isBlank }) else { return nil }
    do throws(JSONError) {
      return .value(try JSONParser.value(onThisThread: Array(bytes).span))
    } catch {
      throw .badValue("invalid JSON line: \(error.message)")
    }
  }

  private func csv(
    _ bytes: ArraySlice<UInt8>, _ form: CSVForm, _ columns: inout [String]?
  ) throws(SignalFailure) -> Payload? {
    guard bytes.contains(where: { !$0.isBlank }) else { return nil }
    guard let known = form.columns ?? columns else {
      columns = try CSVLine.fields(of: bytes.withoutByteOrderMark, form.separator)
      return nil
    }
    let fields = try CSVLine.fields(of: bytes, form.separator)
    guard fields.count == known.count else {
      throw .badValue("line with \(counted(fields.count, "field")) for \(counted(known.count, "column"))")
    }
    var object = JSONObject()
    for (column, field) in zip(known, fields) { object[column] = .string(field) }
    return .value(.object(object))
  }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension SignalFailure {
  static func notText(_ line: ArraySlice<UInt8>) -> SignalFailure {
    .badValue(
      line.beginsAsUTF16
        ? "UTF-16 text (byte order mark); only UTF-8 is supported" : "line is not valid UTF-8")
  }
}

extension ArraySlice<UInt8> {
  fileprivate var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}

extension LineCutter.Line {
  /// The line in a form for display.
  package var shown: JSONValue {
    switch self {
    case .whole(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .tooLong: .null
    }
  }
}
