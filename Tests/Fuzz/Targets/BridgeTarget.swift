import JSON
import WireProtocol

@testable import Bridge

/// The input of the bridge: a stream of events of a server, and lines of the daemon.
///
/// For any segmentation of a stream the same events result. A line is understood or refused, and a task becomes a
/// request whose address and headers are each one line.
enum BridgeTarget {
  private static let limit = 256
  private static let settings = try? HTTPSettings([
    "url": "http://h.example/v1", "headers": ["authorization": "Bearer s"],
  ])

  static func run(_ bytes: [UInt8]) {
    let whole = events(bytes, piece: max(bytes.count, 1), stops: false)
    for piece in [1, 7, max(bytes.count, 1)] {
      require(events(bytes, piece: piece, stops: true) == whole, "events are the same in pieces of \(piece) bytes")
    }
    for event in whole.events { require(event.data.utf8.count <= 3 * limit, "an event has at most its limit") }
    for line in bytes.split(separator: UInt8(ascii: "\n")) { read(Array(line)) }
    let text = String(decoding: bytes, as: UTF8.self)
    require(RetryAfter.seconds(text, now: 0).map { $0 >= 0 } ?? true, "no server is asked before now")
    require(Base64.bytes(of: Base64.text(of: bytes)) == bytes, "Base64 is the bytes")
    _ = Base64.bytes(of: text)
    _ = HTTPValidators(position: text).position
  }

  private struct Result: Equatable {
    var events: [ServerSentEvent] = []
    var lastID = ""
    var isTooLarge = false
  }

  /// - Parameter stops: True to stop behind each event.
  private static func events(_ bytes: [UInt8], piece: Int, stops: Bool) -> Result {
    var parser = ServerSentEventParser(limit: limit)
    var result = Result()
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let chunk = Array(bytes[start..<min(start + piece, bytes.count)])
      var place = 0
      while place < chunk.count {
        let progress = parser.append(chunk.span, from: place) { event in
          result.events.append(event)
          return stops ? .pause : .next
        }
        guard case .consumed(let next) = progress else {
          result.isTooLarge = true
          return result
        }
        require(next > place, "the parser advances")
        place = next
      }
    }
    result.lastID = parser.lastID
    return result
  }

  private static func read(_ line: [UInt8]) {
    guard let message = try? DaemonMessage(line.span), case .task(let task) = message, let settings else { return }
    guard let request = try? HTTPRequests.request(task, settings) else { return }
    require(request.url.hasPrefix("http://h.example/v1/"), "no task chooses the host")
    require(request.url.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "an address is encoded")
    require(HTTPOrigin.address(of: request.url)?.origin == settings.origin, "no task chooses the host")
    for (name, value) in request.headers {
      require(!(name + value).utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "a header is a line")
    }
  }
}
