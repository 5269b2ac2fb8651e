import JSON
import WireProtocol

/// Returns the request of a line, or its refusal.
func parsed(_ line: String, maximumDepth: Int = 128) -> Result<RequestLine, Refusal> {
  parsed(Array(line.utf8), maximumDepth: maximumDepth)
}

func parsed(_ line: [UInt8], maximumDepth: Int = 128) -> Result<RequestLine, Refusal> {
  var parser = RequestParser(maximumDepth: maximumDepth)
  do {
    return .success(try parser.parse(line.span))
  } catch {
    return .failure(error)
  }
}

/// Returns the line that refuses a request, without its terminator; empty if it was accepted.
func refusal(of line: String) -> String {
  guard case .failure(let refusal) = parsed(line) else { return "" }
  return text { refusal.append(to: &$0) }
}

func refusal(of line: [UInt8]) -> String {
  guard case .failure(let refusal) = parsed(line) else { return "" }
  return text { refusal.append(to: &$0) }
}

/// Returns the appended text, without the line terminator.
func text(_ append: (inout [UInt8]) -> Void) -> String {
  var bytes: [UInt8] = []
  append(&bytes)
  return bytes.last == 0x0A ? String(decoding: bytes.dropLast(), as: UTF8.self) : "no end of line"
}
