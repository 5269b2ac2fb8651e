/// A request to a server of HTTP.
struct TransferRequest: Sendable {
  typealias Header = (name: String, value: String)

  /// The method, a token of upper-case letters.
  var method = "GET"
  /// The address, percent-encoded and without user and password.
  var url: String
  /// The headers; each name and value must be free of line ends.
  var headers: [Header] = []
  /// The body; `nil` sends none.
  var body: [UInt8]?
  /// The time for everything: the connection, the request and the whole answer; `nil` where there is no limit.
  var timeout: Duration?
  /// The time until there is a connection and, for a stream, until the head of the answer.
  var patience = Duration.seconds(10)
  /// The longest body of an answer in bytes.
  var limit = 1 << 20
  /// True to deliver the body as it arrives, without an end or a limit.
  var isStream = false
  /// Indicates that nothing is sent: only the connection is made.
  var onlyConnects = false

  init(url: String) { self.url = url }
}

/// The status and the headers of an answer.
struct TransferHead: Sendable, Equatable {
  struct Header: Sendable, Equatable {
    /// The name in lower case.
    let name: String
    let value: String
  }

  var status = 0
  var headers: [Header] = []

  init() {}

  /// Returns the first header with a name in lower case.
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The reason that a transfer has no answer.
struct TransferFailure: Error, Equatable {
  enum Kind: Sendable {
    /// There is no connection, or it broke.
    case connection
    case timeout
    /// The peer's certificate, or its TLS, is refused.
    case security
    /// The head or the body of the answer is longer than its limit.
    case tooLarge
    /// The answer redirects to another host, or too often.
    case redirection
    /// The request cannot be sent as it is.
    case request
    /// The receiver wants no more of it.
    case stopped
  }

  let kind: Kind
  let message: String
  /// The status of the answer that is refused.
  var status: Int?

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
