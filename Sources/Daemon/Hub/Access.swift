import Linux
import SignalGraph

/// Who may send to a signal and who may subscribe to it, with names resolved to ids.
struct Access {
  /// `nil` lets in whoever may open the socket.
  private let senders: Members?
  private let subscribers: Members?
  private let isPrivate: Bool
  /// Whether it is a signal that anybody could send to.
  private let isInput: Bool

  /// The users and groups that a rule names.
  private struct Members {
    var users: Set<UInt32> = []
    var groups: Set<UInt32> = []

    init(_ principals: [Principal]) {
      for principal in principals {
        switch principal {
        case .user(let name): Accounts.userID(named: name).map { _ = users.insert($0) }
        case .group(let name): Accounts.groupID(named: name).map { _ = groups.insert($0) }
        case .userID(let id): users.insert(id)
        case .groupID(let id): groups.insert(id)
        }
      }
    }

    func include(_ peer: PeerCredentials) -> Bool {
      users.contains(peer.userID) || groups.contains(peer.groupID) || peer.groups.contains { groups.contains($0) }
    }
  }

  init(_ declaration: SignalDeclaration) {
    let traits = declaration.traits
    isInput = declaration.kind == .input || declaration.kind == .property
    senders = traits.access.send.map(Members.init)
    subscribers = traits.access.subscribe.map(Members.init)
    isPrivate = traits.isPrivate
  }

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

/// Who a client is.
struct ClientIdentity {
  let credentials: PeerCredentials
  /// Root and the daemon's own user, who may do everything.
  let isPrivileged: Bool

  init(_ credentials: PeerCredentials) {
    self.credentials = credentials
    isPrivileged = credentials.userID == 0 || credentials.userID == CurrentProcess.userID
  }
}
