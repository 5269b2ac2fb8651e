import JSON
import ReactiveCore

/// How the content of a file becomes a value.
enum FileFormat: String, Choice {
  /// The whole content as one string.
  case text
  /// A list of lines.
  case lines
  case json
}

extension SourceDeclaration {
  static let file = SourceDeclaration(
    "file", "Holds a file's content, and emits it when it has changed.", kind: .source,
    Parameter<String>("path", "an absolute path"),
    Parameter<Duration>("every", "how often to read it"),
    Parameter<FileFormat>("format", "text, lines or json", initial: .text),
    check: { path, every, _ in
      if !path.hasPrefix("/") { return "the path must be absolute" }
      return every < .milliseconds(1) ? "every is 1ms or more" : nil
    }
  ) { context, path, every, format in
    context.hold()
    var last: [UInt8]?
    let (stream, output) = Stream.pipe()
    let read = {
      guard let content = context.world.contents(ofFile: path, limit: context.limits.line), content != last
      else { return }
      last = content
      do throws(SignalFailure) {
        output.send(value: try format.payload(of: content))
      } catch {
        context.refuse(error, value: nil, output)
      }
    }
    context.onStart(read)
    context.repeating(every: every, read)
    context.keep(output)
    return stream
  }
}

extension FileFormat {
  /// The value of a content; `bad_value` when it is not UTF-8 or not JSON.
  func payload(of content: [UInt8]) throws(SignalFailure) -> Payload {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw SignalFailure(code: "bad_value", message: "the file is not UTF-8 text")
    }
    switch self {
    case .text: return .value(.string(text))
    case .lines:
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return .value(.array((lines.last?.isEmpty == true ? lines.dropLast() : lines[...]).map { .string(String($0)) }))
    case .json:
      var parser = JSONParser()
      do throws(JSONError) {
        return .value(try parser.value(of: content.span))
      } catch {
        throw SignalFailure(code: "bad_value", message: "the file is not JSON: \(error.message)")
      }
    }
  }
}
