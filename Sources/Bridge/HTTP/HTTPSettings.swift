internal import Base
internal import JSON
internal import WireProtocol

/// The settings of a connection by HTTP.
struct HTTPSettings: Sendable {
  /// The scheme, host and port, and the path that all paths are behind.
  let origin: HTTPOrigin
  let prefix: String
  let headers: [TransferRequest.Header]
  /// The most requests at once.
  let concurrent: Int
  /// The time for a request with its whole answer.
  let timeout: Duration
  /// The longest answer in bytes.
  let limit: Int
  let transfer: TransferSettings
  /// True if its requests carry credentials: a password, a certificate, or headers of the configuration.
  let presentsCredentials: Bool
  /// The texts that no message may show.
  private let secrets: [String]

  private static let unix = "unix:"

  init(_ settings: JSONObject) throws(TaskFailure) {
    guard let url = settings.string("url") else { throw TaskFailure("bad_request", "the connection has no url") }
    var transfer = TransferSettings()
    if url.hasPrefix(Self.unix) {
      transfer.unixSocket = String(url.dropFirst(Self.unix.count))
      (origin, prefix) = (HTTPOrigin(scheme: "http", host: "localhost", port: "80"), "")
    } else {
      guard let address = HTTPOrigin.address(of: url), address.query == nil else {
        throw TaskFailure("bad_request", "the url is no address of HTTP without a query")
      }
      origin = address.origin
      prefix = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
      (transfer.user, transfer.password) = (address.user, address.password)
    }
    var headers = HTTPHeaders()
    try headers.set(settings.texts("headers").map { ($0.name, $0.value) })
    try headers.add("User-Agent", "signalbox/\(programVersion)")
    self.headers = headers.fields
    concurrent = max(1, min(settings.integer("concurrent") ?? 4, 1024))
    timeout = .seconds(max(0.001, min(settings.double("timeout") ?? 10, 86_400)))
    limit = max(1, settings.integer("limit") ?? 1 << 20)
    let tls = settings.nested("tls")
    transfer.authorities = tls?.string("ca") ?? SystemAuthorities.elsewhere
    transfer.certificate = tls?.string("certificate")
    transfer.key = tls?.string("key")
    transfer.proxy = settings.string("proxy")
    transfer.connections = concurrent
    self.transfer = transfer
    presentsCredentials =
      transfer.password != nil || transfer.certificate != nil || !settings.texts("headers").isEmpty
    // Of http://user:password@proxy:3128, or of a proxy of another scheme.
    let proxyUser = transfer.proxy?.split(separator: "@").dropLast().last?.split(separator: "/").last
    let proxyPassword = proxyUser?.split(separator: ":").last.map(String.init)
    // Not every header is a secret, and a short value may stand in any text.
    let values = settings.texts("headers").map(\.value).filter { $0.utf8.count >= 4 }
    secrets = values + [transfer.password, proxyPassword].compactMap(\.self)
  }

  /// Returns a message of the library without what is secret, which names a Unix socket by its path.
  func redacted(_ message: String) -> String {
    let message = transfer.unixSocket.map { message.replacing("localhost port 80", with: "unix:\($0)") } ?? message
    return message.hiding(secrets)
  }
}
