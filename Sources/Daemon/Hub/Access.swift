import Linux
import SignalGraph

/// The clients that may send to a signal, subscribe to it or call an action, with names resolved to ids.
struct Access: Equatable {
  /// `nil` lets in everyone who may open the socket.
  private let senders: Members?
  private let subscribers: Members?
  /// `nil` lets in root and the daemon's own user alone.
  private let callers: Members?
  /// Whether no client at all sees the signal.
  let isPrivate: Bool
  /// Whether it is a signal that anybody could send to.
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

  /// Whether it says who may send; else that is left to the socket.
  var hasSenders: Bool { senders != nil }

  func maySend(_ client: ClientIdentity) -> Bool { allows(senders, client) }

  func maySubscribe(_ client: ClientIdentity) -> Bool { allows(subscribers, client) }

  /// Whether the signal exists, as far as a client can tell.
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
  /// Root and the daemon's own user, who may do everything.
  let isPrivileged: Bool

  init(_ credentials: PeerCredentials) {
    self.credentials = credentials
    isPrivileged = credentials.userID == 0 || credentials.userID == CurrentProcess.userID
  }
}
