import GraphModel
import Linux

/// The access rules of a signal or an action, with names resolved to ids.
struct Access: Equatable {
  /// `nil` admits every client that may open the socket.
  private let senders: Members?
  private let subscribers: Members?
  /// `nil` admits only root and the daemon's own user.
  private let callers: Members?
  /// True while the signal is hidden from every client.
  let isPrivate: Bool
  /// True for a signal that accepts values at all.
  private let isInput: Bool

  init(_ declaration: SignalDeclaration) {
    let traits = declaration.traits
    self.init(
      traits.access, isInput: declaration.kind == .input || declaration.kind == .property, isPrivate: traits.isPrivate)
  }

  init(_ rules: AccessRules, isInput: Bool = false, isPrivate: Bool = false) {
    senders = rules.send.map(Members.init)
    subscribers = rules.subscribe.map(Members.init)
    callers = rules.call.map(Members.init)
    self.isInput = isInput
    self.isPrivate = isPrivate
  }

  func mayCall(_ client: ClientIdentity) -> Bool {
    client.isPrivileged || callers?.include(client.credentials) ?? false
  }

  /// True if the rules restrict sending; otherwise access to the socket is enough.
  var hasSenders: Bool { senders != nil }

  func maySend(_ client: ClientIdentity) -> Bool { allows(senders, client) }

  func maySubscribe(_ client: ClientIdentity) -> Bool { allows(subscribers, client) }

  /// Indicates that the client may know of the signal.
  func isVisible(to client: ClientIdentity) -> Bool { (isInput && maySend(client)) || maySubscribe(client) }

  @inline(__always)
  private func allows(_ members: Members?, _ client: ClientIdentity) -> Bool {
    if isPrivate { return false }
    guard let members else { return true }
    return client.isPrivileged || members.include(client.credentials)
  }
}

/// The identity of a client.
struct ClientIdentity {
  let credentials: PeerCredentials
  /// Root and the daemon's own user, which may do everything.
  let isPrivileged: Bool

  init(_ credentials: PeerCredentials) {
    self.credentials = credentials
    isPrivileged = credentials.userID == 0 || credentials.userID == CurrentProcess.userID
  }
}
