package import Linux

/// The things that the gateway is told at its start.
package struct GatewaySettings {
  package var daemonSocket: String
  package var configuration: String
  /// The folder of the daemon's durable graphs, of whose past it may tell; `nil` where it tells nothing.
  package var state: String?
  /// Names by which it may be asked for, besides addresses and `localhost`.
  package var hosts: [String]
  /// The most connections at each address.
  ///
  /// By default a few less than a daemon lets a user have (`limits.user.connections`), since most requests take one.
  package var mostConnections = 900
  let doorkeeper: Doorkeeper
  private let tokenFile: String?

  package static let defaultSocket = "/run/signalbox/signalbox.sock"
  package static let defaultConfiguration = "/etc/signalbox/signalbox.yaml"

  /// - Parameters:
  ///   - tokenFile: The file of those who may come in.
  ///   - ownToken: A token with all rights besides.
  /// - Throws: what is wrong with the file.
  package init(
    daemonSocket: String, configuration: String, hosts: [String], tokenFile: String?, ownToken: String?
  ) throws(StartFailure) {
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

  /// Reads the file of tokens again; the old ones stay valid where it makes no sense.
  package func readTokensAgain(_ log: Log) {
    do throws(StartFailure) {
      doorkeeper.replace(try Self.access(tokenFile))
      log.notice("the tokens have been read again")
    } catch { log.error("the old tokens stay valid: \(error.message)") }
  }
}

/// The reason why the gateway does not start, and its exit status (`sysexits.h`).
package struct StartFailure: Error {
  package let message: String
  package let status: Int32

  package init(_ message: String, status: Int32) {
    self.message = message
    self.status = status
  }
}
