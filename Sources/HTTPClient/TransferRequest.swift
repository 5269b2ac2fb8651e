/// A request to a server of HTTP.
package struct TransferRequest: Sendable {
  package typealias Header = (name: String, value: String)

  /// The method, a token of upper-case letters.
  package var method = "GET"
  /// The address, percent-encoded and without user and password.
  package var url: String
  /// The headers; each name and value must be free of line ends.
  package var headers: [Header] = []
  /// The body; `nil` sends none.
  package var body: [UInt8]?
  /// The time for everything: the connection, the request and the whole answer; `nil` where there is no limit.
  package var timeout: Duration?
  /// The time until there is a connection and, for a stream, until the head of the answer.
  package var patience = Duration.seconds(10)
  /// The longest body of an answer in bytes.
  package var limit = 1 << 20
  /// True to deliver the body as it arrives, without an end or a limit.
  package var isStream = false
  /// Indicates that nothing is sent: only the connection is made.
  package var onlyConnects = false

  package init(url: String) { self.url = url }
}

/// The status and the headers of an answer.
package struct TransferHead: Sendable, Equatable {
  package struct Header: Sendable, Equatable {
    /// The name in lower case.
    package let name: String
    package let value: String
  }

  package internal(set) var status = 0
  package internal(set) var headers: [Header] = []

  package init() {}

  /// Returns the first header with a name in lower case.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The reason that a transfer has no answer.
package struct TransferFailure: Error, Equatable {
  package enum Kind: Sendable {
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

  package let kind: Kind
  package let message: String
  /// The status of the answer that is refused.
  package var status: Int?

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
