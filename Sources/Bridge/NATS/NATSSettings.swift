internal import Base
internal import CNATS
internal import Glibc
internal import JSON

/// The settings of a connection to NATS servers.
struct NATSSettings: Sendable {
  let servers: [String]
  let credentials: String?
  let user: String?
  let password: String?
  let token: String?
  /// The most messages on their way in each direction.
  let window: Int
  /// The longest payload in bytes.
  let limit: Int
  let authorities: String?
  let certificate: String?
  let key: String?
  let isEncrypted: Bool
  private let secrets: [String]

  init(_ declaration: ConnectionDeclaration) throws(TaskFailure) {
    let settings = declaration.settings
    guard case .array(let servers)? = settings["servers"]?.plain else {
      throw TaskFailure("bad_request", "the connection has no servers")
    }
    self.servers = servers.compactMap(\.text)
    credentials = settings.string("credentials")
    user = settings.string("user")
    password = settings.string("password")
    token = settings.string("token")
    window = max(1, min(settings.integer("window") ?? 512, 4_096))
    limit = max(1, settings.integer("limit") ?? 1 << 20)
    let tls = settings.nested("tls")
    isEncrypted = tls != nil
    authorities = tls.flatMap { $0.string("ca") ?? SystemAuthorities.elsewhere }
    certificate = tls?.string("certificate")
    key = tls?.string("key")
    secrets = [credentials, password, token].compactMap(\.self)
  }

  /// The addresses as messages show them.
  var address: String { servers.joined(separator: ", ") }

  /// Returns a message of the library without what is secret.
  func redacted(_ message: String) -> String { message.hiding(secrets) }

  /// Returns options of the library; the caller destroys them.
  ///
  /// - Parameter credentials: The file with the credentials, if there are any.
  func options(_ credentials: MemoryFile?) throws(TaskFailure) -> OpaquePointer {
    var options: OpaquePointer?
    guard natsOptions_Create(&options) == NATS_OK, let options else {
      throw TaskFailure("connect", "no options of NATS can be made")
    }
    let copies = servers.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    var pointers = copies.map { UnsafePointer<CChar>($0) }
    var results = [natsOptions_SetServers(options, &pointers, Int32(pointers.count))]
    results.append(natsOptions_SetName(options, "signalbox"))
    // The library would send what it holds for a connection that was lost before what has to be sent again.
    results.append(natsOptions_SetAllowReconnect(options, false))
    results.append(natsOptions_SetPingInterval(options, 20_000))
    results.append(natsOptions_SetTimeout(options, 5_000))
    if let user { results.append(natsOptions_SetUserInfo(options, user, password ?? "")) }
    if let token { results.append(natsOptions_SetToken(options, token)) }
    if let credentials {
      results.append(natsOptions_SetUserCredentialsFromFiles(options, credentials.path, nil))
    }
    if isEncrypted { results.append(natsOptions_SetSecure(options, true)) }
    if let authorities { results.append(natsOptions_LoadCATrustedCertificates(options, authorities)) }
    if let certificate, let key { results.append(natsOptions_LoadCertificatesChain(options, certificate, key)) }
    guard let failed = results.first(where: { $0 != NATS_OK }) else { return options }
    natsOptions_Destroy(options)
    throw TaskFailure("connect", "the settings: \(NATSLibrary.text(of: failed))")
  }
}
