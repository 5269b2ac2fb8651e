internal import Linux

/// The settings of the gateway.
struct GatewaySettings {
  var daemonSocket: String
  var configuration: String
  /// The state folder of the daemon's durable graphs, to explain past values; `nil` to explain none.
  var state: String?
  /// The host names that are accepted, besides addresses and `localhost`.
  var hosts: [String]
  /// The most connections at each address.
  ///
  /// The default is a little below the daemon's limit for a user (`limits.user.connections`), since most requests need
  /// one.
  var mostConnections = 900
  /// The most requests in progress for one token, streams included; the default is a third of the connections.
  var mostTokenRequests: Int?
  /// The origins whose pages may send requests, besides those served here.
  var origins = AllowedOrigins()
  /// The folder with pages of one's own.
  var pages: String?
  let doorkeeper: Doorkeeper
  private let tokenFile: String?

  static let defaultConfiguration = "/etc/signalbox/signalbox.yaml"

  /// - Parameters:
  ///   - tokenFile: The access file.
  ///   - ownToken: An additional token with all rights.
  /// - Throws: An error in the access file.
  init(
    daemonSocket: String, configuration: String, hosts: [String], tokenFile: String?, ownToken: String?
  ) throws(StartFailure) {
    if let reason = SocketPath.refusal(of: daemonSocket) {
      throw StartFailure("--socket \(reason)", status: 64)  // EX_USAGE
    }
    self.daemonSocket = daemonSocket
    self.configuration = configuration
    self.hosts = hosts
    self.tokenFile = tokenFile
    doorkeeper = Doorkeeper(try Self.access(tokenFile), ownToken: ownToken)
  }

  private static func access(_ path: String?) throws(StartFailure) -> AccessFile {
    guard let path else { return AccessFile() }
    do throws(AccessFileError) { return try AccessFile.read(path) } catch {
      throw StartFailure(error.message, status: 78)  // EX_CONFIG
    }
  }

  /// Reads the access file again; the old tokens stay valid if it has an error.
  func readTokensAgain(_ log: Log) {
    do throws(StartFailure) {
      doorkeeper.replace(try Self.access(tokenFile))
      log.notice("reloaded the tokens")
    } catch { log.error("cannot reload the tokens, the old ones stay valid: \(error.message)") }
  }
}
