internal import CMicroHTTPD

/// A request that waits for its response.
///
/// A handler that has to wait for the daemon retains it and responds later. It ends when the response has been sent, or
/// when the client has disconnected.
final class HTTPExchange {
  var request: HTTPRequest
  /// Called once if the client has disconnected before a response.
  var abandoned: () -> Void = {}
  /// Called once when it has ended: its response has been sent, or its client has disconnected.
  var ended: () -> Void = {}

  enum Phase {
    /// The body is being read.
    case receiving
    /// The response is being prepared.
    case waiting
    /// The response is ready to be passed to the library.
    case answered(HTTPAnswer)
    /// The exchange has ended.
    case over
  }

  var phase = Phase.receiving
  /// True if its body is longer than allowed; the rest is discarded.
  var isTooLong = false
  /// True if its body exceeds the memory available now; the rest is discarded.
  var isCrowdedOut = false
  /// The longest body that it may have, in bytes.
  var bodyLimit = 0
  /// The bytes that its body has reserved in the server's pool.
  private var room = 0
  private var pool: HTTPBodyPool?
  /// True if the end of its body is ambiguous; it is refused before that is read.
  var hasUnclearEnd = false
  /// True once the library knows that it is complete, and reads nothing more before the response.
  var isRead = false
  /// True to abandon it once the client has closed its side, which usually means that it is disconnecting.
  ///
  /// A quick response is also sent to a client that has merely finished sending (`nc -N`).
  var endsWithClient = false
  let connection: HTTPConnection

  init(_ request: HTTPRequest, _ connection: HTTPConnection) {
    self.request = request
    self.connection = connection
  }

  /// Reserves a total number of bytes in a pool; returns `false` if they are not available.
  func reserve(_ count: Int, in pool: HTTPBodyPool) -> Bool {
    if count <= room { return true }
    guard pool.take(count - room) else { return false }
    room = count
    self.pool = pool
    return true
  }

  /// True once no response is expected.
  var isOver: Bool { if case .waiting = phase { false } else { true } }

  /// Sends the response; only the first one counts.
  func respond(_ response: HTTPResponse) { finish(.whole(response)) }

  /// Begins a streamed response.
  func stream(_ status: Int, headers: [HTTPResponse.Header]) -> HTTPBodyStream {
    let stream = HTTPBodyStream(connection)
    finish(.stream(HTTPResponse(status, headers: headers), stream))
    return stream
  }

  private func finish(_ answer: HTTPAnswer) {
    guard case .waiting = phase else { return }
    phase = .answered(answer)
    connection.resume()
  }

  /// Ends the exchange: the connection, or its part in this request, is closed.
  func close() {
    let before = phase
    phase = .over
    switch before {
    case .waiting: abandoned()
    case .answered(.stream(_, let stream)): stream.close()
    case .receiving, .answered, .over: break
    }
    abandoned = {}
    let ended = ended
    self.ended = {}
    ended()
    pool?.giveBack(room)
    room = 0
  }
}

/// The two forms of an answer.
enum HTTPAnswer {
  case whole(HTTPResponse)
  case stream(HTTPResponse, HTTPBodyStream)
}
