package import JSON

/// Asks for the server's name and abilities.
package struct HelloRequest: WireRequest {
  package static let op = "hello"
  package static let summary =
    "Tells the server's version, protocol, capabilities and limits, and whom it takes you for."
  package static let fields: [RequestField<Self>] = [
    .optional("protocol", \.protocol, "the version of the protocol that you speak")
  ]

  package var `protocol`: UInt64?

  package init() {}

  package func check() throws(WireError) {
    guard let version = `protocol`, version != protocolVersion else { return }
    throw WireError(
      .badRequest, "protocol \(version) is not spoken here; supported: \(protocolVersion)",
      details: ["supported": [.number(Double(protocolVersion))]])
  }
}

/// The version of the protocol that is spoken here.
package let protocolVersion: UInt64 = 1

package struct HelloReply: Reply {
  package static let op: StaticString = "hello"

  package let version: String
  /// The commit that the server is built from, if it knows.
  package let commit: String?
  package let capabilities: [String]
  package let epoch: String
  package let generation: Int
  package let user: (uid: UInt32, gid: UInt32)
  package let limits: JSONObject

  package init(
    version: String, commit: String?, capabilities: [String], epoch: String, generation: Int,
    user: (uid: UInt32, gid: UInt32), limits: JSONObject
  ) {
    self.version = version
    self.commit = commit
    self.capabilities = capabilities
    self.epoch = epoch
    self.generation = generation
    self.user = user
    self.limits = limits
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
  }
}
