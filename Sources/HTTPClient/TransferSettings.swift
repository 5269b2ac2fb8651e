/// The settings that all transfers of a pool share.
package struct TransferSettings: Sendable, Hashable {
  /// The path of the Unix socket to connect to, whatever host the address names.
  package var unixSocket: String?
  /// The file of the authorities that are trusted; `nil` for the system's.
  package var authorities: String?
  /// The files of the client's certificate and its key.
  package var certificate: String?
  package var key: String?
  /// The address of the proxy; the environment's is not used.
  package var proxy: String?
  package var user: String?
  package var password: String?
  /// The most connections that are kept open.
  package var connections = 4

  package init() {}
}
