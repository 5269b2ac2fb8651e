/// The settings that all transfers of a pool share.
struct TransferSettings: Sendable, Hashable {
  /// The path of the Unix socket to connect to, whatever host the address names.
  var unixSocket: String?
  /// The file of the authorities that are trusted; `nil` for the system's.
  var authorities: String?
  /// The files of the client's certificate and its key.
  var certificate: String?
  var key: String?
  /// The address of the proxy; the environment's is not used.
  var proxy: String?
  var user: String?
  var password: String?
  /// The most connections that are kept open.
  var connections = 4

  init() {}
}
