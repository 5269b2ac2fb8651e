internal import Base
internal import WireProtocol

/// The access control of requests: by token, or by the permissions of the socket alone.
final class Doorkeeper {
  /// The most requests a second for one token, and for all requests without a token.
  static let requestsPerSecond = 1000
  /// The most invalid tokens a second that are answered with 401; further ones are answered with 429.
  ///
  /// Valid tokens are not affected.
  static let failuresPerSecond = 10

  private var access: AccessFile
  private var rates: [ExactText: RequestRate] = [:]
  /// The number of requests in progress, by token.
  private var underWay: [ExactText: Int] = [:]
  /// The most requests of one token in progress, streams included; the others are reserved for other tokens.
  var mostRequests = Int.max
  private var anonymous = RequestRate(perSecond: requestsPerSecond)
  private var failures = RequestRate(perSecond: failuresPerSecond)
  /// The hash of a token that is valid besides those of the file, with all rights.
  private let ownToken: [UInt8]?

  init(_ access: AccessFile, ownToken: String? = nil) {
    self.access = access
    self.ownToken = ownToken.map { SHA256.digest(of: Array($0.utf8)) }
  }

  /// Replaces the access file; requests in progress are not affected.
  func replace(_ access: AccessFile) {
    self.access = access
    rates = [:]
  }

  func hook(_ name: String) -> Webhook? { access.hooks.first { $0.name.hasSameBytes(as: name) } }

  /// Counts a request that needs no token.
  func admitWithoutToken() throws(Problem) {
    if !anonymous.take() { throw .tooManyRequests }
  }

  /// Indicates that a request has a valid token, without counting the request.
  func knows(_ request: HTTPRequest) -> Bool {
    guard let token = Self.token(of: request) else { return false }
    let hash = SHA256.digest(of: Array(token.utf8))
    let known = access.tokens.filter { SHA256.isSame($0.hash, hash) }
    return !known.isEmpty || ownToken.map { SHA256.isSame($0, hash) } ?? false
  }

  /// Returns the rights of a request.
  func admit(_ request: HTTPRequest) throws(Problem) -> Grant {
    guard let token = Self.token(of: request) else { throw .unauthorized }
    let hash = SHA256.digest(of: Array(token.utf8))
    if let ownToken, SHA256.isSame(ownToken, hash) { return .everything }
    // All hashes are compared, so that the time does not reveal which one matches.
    let found = access.tokens.filter { SHA256.isSame($0.hash, hash) }.first
    guard let found else { throw failures.take() ? .unauthorized : .tooManyRequests }
    guard rates[ExactText(found.name), default: RequestRate(perSecond: Self.requestsPerSecond)].take() else {
      throw .tooManyRequests
    }
    var grant = found.grant
    grant.token = found.name
    return grant
  }

  /// Counts a request in progress against the limit of its token.
  func begin(_ grant: Grant) throws(Problem) {
    guard let token = grant.token.map(ExactText.init) else { return }
    if underWay[token, default: 0] >= mostRequests { throw .tooManyUnderWay(mostRequests) }
    underWay[token, default: 0] += 1
  }

  /// Ends a request in progress.
  func end(_ grant: Grant) {
    guard let token = grant.token.map(ExactText.init), let count = underWay[token] else { return }
    underWay[token] = count > 1 ? count - 1 : nil
  }

  /// A token in the URL is for clients that cannot set a header: an `EventSource`, an image.
  private static func token(of request: HTTPRequest) -> String? {
    if let field = request.header("Authorization") {
      guard field.lowercased().hasPrefix("bearer ") else { return nil }
      return String(field.dropFirst(7).drop { $0 == " " })
    }
    return request.method == "GET" || request.method == "HEAD" ? request.parameter("token") : nil
  }
}
