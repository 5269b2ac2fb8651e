import Expressions
import JSON

/// Turns the lines of one file or program into values.
final class LineParser {
  private let format: LineFormat
  /// With the patterns that it has compiled.
  private let environment = Environment()

  init(_ format: LineFormat) { self.format = format }

  /// The value of a line; `nil` for a blank one where only a text can be that, and for one that names columns.
  ///
  /// - Parameter columns: The columns that an earlier line has named.
  /// - Throws: `bad_value` where it is not UTF-8 or not of the format, `too_long`, `limit`.
  func payload(
    of line: LineCutter.Line, columns: inout [String]?, _ limits: Limits
  ) throws(SignalFailure) -> Payload? {
    guard case .whole(let bytes) = line else {
      throw SignalFailure(code: "too_long", message: "a line of more than \(limits.line) bytes (limits.line)")
    }
    if case .json = format { return try json(bytes) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .badValue("a line that is not UTF-8 text") }
    switch format {
    case .text, .json: return .value(.string(text))
    case .logfmt: return try LogfmtLine.object(of: bytes).map { .value(.object($0)) }
    case .csv(let form): return try csv(bytes, form, &columns)
    case .pattern(let pattern):
      environment.limits = ExpressionLimits(steps: limits.expression, bytes: limits.value)
      return .value(try pattern.value(of: text, environment))
    }
  }

  private func json(_ bytes: ArraySlice<UInt8>) throws(SignalFailure) -> Payload? {
    guard bytes.contains(where: { !$0.isBlank }) else { return nil }
    do throws(JSONError) {
      return .value(try JSONParser.value(onThisThread: Array(bytes).span))
    } catch {
      throw .badValue("a line that is not JSON: \(error.message)")
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
      throw .badValue("a line of \(counted(fields.count, "field")), where there are \(counted(known.count, "column"))")
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

extension ArraySlice<UInt8> {
  fileprivate var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}

extension LineCutter.Line {
  /// The line as it may be shown to people.
  var shown: JSONValue {
    switch self {
    case .whole(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .tooLong: .null
    }
  }
}
