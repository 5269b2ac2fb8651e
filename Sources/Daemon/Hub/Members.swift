import GraphModel
import Linux

/// The users and groups that a rule names; an unknown name matches no client.
struct Members: Equatable {
  var users: Set<UInt32> = []
  var groups: Set<UInt32> = []

  init(_ principals: [Principal]) {
    for principal in principals {
      switch principal {
      case .user(let name):
        if let id = Accounts.userID(named: name) { users.insert(id) }
      case .group(let name):
        if let id = Accounts.groupID(named: name) { groups.insert(id) }
      case .userID(let id): users.insert(id)
      case .groupID(let id): groups.insert(id)
      }
    }
  }

  func include(_ peer: PeerCredentials) -> Bool {
    users.contains(peer.userID) || groups.contains(peer.groupID) || peer.groups.contains { groups.contains($0) }
  }
}
