import JSON
import WireProtocol

/// The input of a client: for any segmentation the same lines result; each line is accepted or refused, and each
/// refusal is a line of JSON.
enum LinesTarget {
  private static let limit = 256

  static func run(_ bytes: [UInt8]) {
    let whole = lines(in: bytes, piece: max(bytes.count, 1))
    for piece in [1, 7] {
      require(lines(in: bytes, piece: piece) == whole, "lines are the same in pieces of \(piece) bytes")
    }
    var parser = RequestParser()
    for case let line? in whole { read(line, &parser) }
  }

  private static func read(_ line: [UInt8], _ parser: inout RequestParser) {
    let send = parser.send(in: line.span)
    do throws(Refusal) {
      _ = try parser.parse(line.span)
    } catch {
      require(send == nil, "what is taken for a common send is a request")
      var text: [UInt8] = []
      error.append(to: &text)
      require(text.last == UInt8(ascii: "\n") && !text.dropLast().contains(UInt8(ascii: "\n")), "a refusal is a line")
      var json = JSONParser()
      require((try? json.value(of: Array(text.dropLast()).span)) != nil, "a refusal is JSON")
    }
    _ = try? ServerLine(line.span)
  }

  /// Returns the lines of bytes fed in pieces, `nil` for those that are too long.
  private static func lines(in bytes: [UInt8], piece: Int) -> [[UInt8]?] {
    var splitter = LineSplitter(limit: limit)
    var lines: [[UInt8]?] = []
    let consume: LineSplitter.Consumer = { line in
      guard let line = copy line else {
        lines.append(nil)
        return .next
      }
      lines.append(line.withUnsafeBufferPointer { Array($0) })
      return .next
    }
    for start in stride(from: 0, to: bytes.count, by: piece) {
      _ = splitter.append(Array(bytes[start..<min(start + piece, bytes.count)]).span, now: 0, consume)
      require(splitter.count <= limit + 1, "no more is kept than a line may have")
    }
    _ = splitter.finish(consume)
    return lines
  }
}
