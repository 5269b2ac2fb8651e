import GraphEngine
import GraphModel
import JSON

/// The conversion between a file's content and a value.
enum FileFormat: String, WordParameter {
  /// The whole content as one string.
  case text
  /// A list of lines.
  case lines
  case json

  /// Decodes a content; `bad_value` for invalid UTF-8 or JSON.
  func payload(of content: [UInt8]) throws(SignalFailure) -> Payload {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .badValue("the file is not valid UTF-8")
    }
    switch self {
    case .text: return .value(.string(text))
    case .lines: return .value(.array(Self.lines(of: content)))
    case .json:
      do throws(JSONError) {
        return .value(try JSONParser.value(onThisThread: content.span))
      } catch {
        throw .badValue("invalid JSON in the file: \(error.message)")
      }
    }
  }

  private static func lines(of content: [UInt8]) -> [JSONValue] {
    var lines: [JSONValue] = []
    var cutter = LineCutter()
    cutter.append(content, limit: content.count) { lines.append($0.shown) }
    cutter.finish(limit: content.count) { lines.append($0.shown) }
    return lines
  }

  /// Encodes a value: text verbatim, else with a newline after each line.
  func content(of payload: Payload) throws(SendError) -> [UInt8] {
    switch (self, payload.value.plain) {
    case (.text, .string(let text)): return Array(text.utf8)
    case (.lines, .array(let elements)):
      let lines = elements.compactMap { if case .string(let line) = $0.plain { line } else { nil } }
      guard lines.count == elements.count, !lines.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) else {
        throw .badValue(expected: "an array of lines", found: "an array with other elements")
      }
      return lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    case (.json, _): return payload.json + [UInt8(ascii: "\n")]
    case (.text, _): throw .badValue(expected: "a string", found: payload.typeWithArticle)
    case (.lines, _): throw .badValue(expected: "an array of lines", found: payload.typeWithArticle)
    }
  }

  /// Encodes a value for appending: terminated by a newline, JSON on one line.
  func line(of payload: Payload) throws(SendError) -> [UInt8] {
    let end = UInt8(ascii: "\n")
    var content = try content(of: payload)
    switch self {
    case .text: if content.last != end { content.append(end) }
    case .lines: break
    // Newlines between JSON tokens are equivalent to spaces.
    case .json: content = content.dropLast().map { $0 < UInt8(ascii: " ") ? UInt8(ascii: " ") : $0 } + [end]
    }
    return content
  }
}
