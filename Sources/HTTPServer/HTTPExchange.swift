internal import CMicroHTTPD

/// A request, and the answer that it waits for.
///
/// A handler that has to ask somebody else first keeps it and answers later. It is over when the answer has been sent,
/// or when the client has gone before.
package final class HTTPExchange {
  package internal(set) var request: HTTPRequest
  /// Called once if the client has gone before there was an answer.
  package var abandoned: () -> Void = {}

  enum Phase {
    /// Its body is being read.
    case receiving
    /// Its answer is being made.
    case waiting
    /// The answer is there and has to be handed over.
    case answered(HTTPAnswer)
    /// Nothing is to be done any more.
    case over
  }

  var phase = Phase.receiving
  /// Whether its body is longer than allowed; the rest is not kept.
  var isTooLong = false
  /// Whether nobody can say where its body ends; it is refused before that is read.
  package internal(set) var hasUnclearEnd = false
  /// Whether the library knows that it has all of it, and reads nothing more before its answer.
  var isRead = false
  /// Whether nothing of it is wanted once the client has closed its side, which most do alone to go.
  ///
  /// What is answered soon is answered for one that only has nothing more to say, too (`nc -N`).
  package var endsWithClient = false
  let connection: HTTPConnection

  init(_ request: HTTPRequest, _ connection: HTTPConnection) {
    self.request = request
    self.connection = connection
  }

  /// Whether nobody waits for an answer any more.
  package var isOver: Bool { if case .waiting = phase { false } else { true } }

  /// Answers; only the first answer counts.
  package func respond(_ response: HTTPResponse) { finish(.whole(response)) }

  /// Answers with a body that comes piece by piece.
  package func stream(_ status: Int, headers: [HTTPResponse.Header]) -> HTTPBodyStream {
    let stream = HTTPBodyStream(connection)
    finish(.stream(HTTPResponse(status, headers: headers), stream))
    return stream
  }

  private func finish(_ answer: HTTPAnswer) {
    guard case .waiting = phase else { return }
    phase = .answered(answer)
    connection.resume()
  }

  /// The connection, or its share in this request, is gone.
  func close() {
    let before = phase
    phase = .over
    switch before {
    case .waiting: abandoned()
    case .answered(.stream(_, let stream)): stream.close()
    case .receiving, .answered, .over: break
    }
    abandoned = {}
  }
}

/// The two forms of an answer.
enum HTTPAnswer {
  case whole(HTTPResponse)
  case stream(HTTPResponse, HTTPBodyStream)
}
