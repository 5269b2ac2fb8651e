internal import Digests
internal import HTTPServer
internal import WireProtocol

/// Decides who comes in: by token, or because the socket's permissions have decided already.
final class Doorkeeper {
  /// Requests a second that one token may make, and all who come without.
  static let requestsPerSecond = 1000
  /// Wrong tokens a second that are answered with 401; further ones are answered with 429, and right ones as ever.
  static let failuresPerSecond = 10

  private var access: AccessFile
  private var rates: [String: RequestRate] = [:]
  private var anonymous = RequestRate(perSecond: requestsPerSecond)
  private var failures = RequestRate(perSecond: failuresPerSecond)
  /// A token that is valid besides those of the file, with all rights, by its hash.
  private let ownToken: [UInt8]?

  init(_ access: AccessFile, ownToken: String? = nil) {
    self.access = access
    self.ownToken = ownToken.map { SHA256.digest(of: Array($0.utf8)) }
  }

  /// Takes over another file; who is in stays in.
  func replace(_ access: AccessFile) {
    self.access = access
    rates = [:]
  }

  func hook(_ name: String) -> Webhook? { access.hooks.first { $0.name == name } }

  /// Counts a request that needs no token.
  func admitAnybody() throws(Problem) {
    if !anonymous.take() { throw .tooManyRequests }
  }

  /// The rights of the one who asks.
  func admit(_ request: HTTPRequest) throws(Problem) -> Grant {
    guard let token = Self.token(of: request) else { throw .unauthorized }
    let hash = SHA256.digest(of: Array(token.utf8))
    if let ownToken, SHA256.isSame(ownToken, hash) { return .everything }
    // All are compared, so that the time does not tell which one it is.
    let found = access.tokens.filter { SHA256.isSame($0.hash, hash) }.first
    guard let found else { throw failures.take() ? .unauthorized : .tooManyRequests }
    guard rates[found.name, default: RequestRate(perSecond: Self.requestsPerSecond)].take() else {
      throw .tooManyRequests
    }
    return found.grant
  }

  /// A token in the address is for those who can set no header: an `EventSource`, a picture.
  private static func token(of request: HTTPRequest) -> String? {
    if let field = request.header("Authorization") {
      guard field.lowercased().hasPrefix("bearer ") else { return nil }
      return String(field.dropFirst(7).drop { $0 == " " })
    }
    return request.method == "GET" || request.method == "HEAD" ? request.parameter("token") : nil
  }
}
