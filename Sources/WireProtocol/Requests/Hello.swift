package import JSON

/// A request for the server's version and capabilities.
package struct HelloRequest: WireRequest {
  package static let op = "hello"
  package static let summary =
    "Return the server's version, protocol, capabilities and limits, and the identity of the client."
  package static let fields: [RequestField<Self>] = [
    .optional("protocol", \.protocol, "the protocol version of the client")
  ]

  package var `protocol`: UInt64?

  package init() {}

  package func check() throws(WireError) {
    guard let version = `protocol`, version != protocolVersion else { return }
    throw WireError(
      .badRequest, "unsupported protocol version \(version); supported: \(protocolVersion)",
      details: ["supported": [.number(Double(protocolVersion))]])
  }
}

/// The version of the protocol.
package let protocolVersion: UInt64 = 1

package struct HelloReply: Reply {
  package static let op: StaticString = "hello"

  package let version: String
  /// The commit that the server is built from, if known.
  package let commit: String?
  package let capabilities: [String]
  package let epoch: String
  package let generation: Int
  package let user: (uid: UInt32, gid: UInt32)
  package let limits: JSONObject
  /// The paths, only for root and the daemon's own user.
  package let paths: Paths?

  /// The files of the server, for commands that read them directly.
  package struct Paths: Sendable {
    /// The configuration, as an absolute path.
    package let configuration: String
    /// The state folder of durable graphs; `nil` if no graph is durable.
    package let state: String?

    package init(configuration: String, state: String?) {
      self.configuration = configuration
      self.state = state
    }
  }

  package init(
    version: String, commit: String?, capabilities: [String], epoch: String, generation: Int,
    user: (uid: UInt32, gid: UInt32), limits: JSONObject, paths: Paths? = nil
  ) {
    self.version = version
    self.commit = commit
    self.capabilities = capabilities
    self.epoch = epoch
    self.generation = generation
    self.user = user
    self.limits = limits
    self.paths = paths
  }

  package func writeMembers(to line: inout LineWriter) {
    line.member("server", "signalbox")
    line.member("version", version)
    if let commit { line.member("commit", commit) }
    line.member("protocol", protocolVersion)
    line.member("capabilities", capabilities)
    line.member("epoch", epoch)
    line.member("generation", generation)
    line.member("user", ["uid": .number(Double(user.uid)), "gid": .number(Double(user.gid))])
    line.member("limits", .object(limits))
    guard let paths else { return }
    line.member("configuration", paths.configuration)
    if let state = paths.state { line.member("state", state) }
  }
}
