import JSON

/// How the content of a file becomes a value, and a value the content of a file.
enum FileFormat: String, WordParameter {
  /// The whole content as one string.
  case text
  /// A list of lines.
  case lines
  case json

  /// The value of a content; `bad_value` when it is not UTF-8 or not JSON.
  func payload(of content: [UInt8]) throws(SignalFailure) -> Payload {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .badValue("the file is not UTF-8 text")
    }
    switch self {
    case .text: return .value(.string(text))
    case .lines: return .value(.array(Self.lines(of: content)))
    case .json:
      do throws(JSONError) {
        return .value(try JSONParser.value(onThisThread: content.span))
      } catch {
        throw .badValue("the file is not JSON: \(error.message)")
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

  /// The content that a value makes: text as it is, else with an end of line behind each line.
  func content(of payload: Payload) throws(SendError) -> [UInt8] {
    switch (self, payload.value.plain) {
    case (.text, .string(let text)): return Array(text.utf8)
    case (.lines, .array(let elements)):
      let lines = elements.compactMap { if case .string(let line) = $0.plain { line } else { nil } }
      guard lines.count == elements.count, !lines.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) else {
        throw .badValue(expected: "an array of lines", found: "an array with something else in it")
      }
      return lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    case (.json, _): return payload.json + [UInt8(ascii: "\n")]
    case (.text, _): throw .badValue(expected: "a string", found: payload.typeWithArticle)
    case (.lines, _): throw .badValue(expected: "an array of lines", found: payload.typeWithArticle)
    }
  }

  /// The same for a file to which it is added: there it ends with an end of line, and JSON is one line.
  func line(of payload: Payload) throws(SendError) -> [UInt8] {
    let end = UInt8(ascii: "\n")
    var content = try content(of: payload)
    switch self {
    case .text: if content.last != end { content.append(end) }
    case .lines: break
    // Between the parts of a JSON text an end of line means no more than a blank.
    case .json: content = content.dropLast().map { $0 < UInt8(ascii: " ") ? UInt8(ascii: " ") : $0 } + [end]
    }
    return content
  }
}
