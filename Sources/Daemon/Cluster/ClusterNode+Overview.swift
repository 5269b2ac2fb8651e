import Cluster
import JSON
import Linux
import Signals
import StateLog
import WireProtocol

// The overview that `signalbox cluster` shows.

extension ClusterNode {
  /// The nodes, the logs and their owners, as this node knows them.
  var overview: ClusterReply {
    var connection: JSONObject = ["state": .string(isConnected ? "connected" : "away")]
    if let server { connection["server"] = .string(server) } else { connection["reason"] = .string(away.reason) }
    connection["relay_restarts"] = .number(Double(relayRestarts))
    let own: JSONObject = [
      "node": .string(name), "state": .string(absence == nil ? "alive" : "away"),
      "version": .string(programVersionText),
    ]
    let others = roster.peers.sorted { $0.key < $1.key }.map { overview(of: $0.value, named: $0.key) }
    return ClusterReply(node: name, connection: connection, nodes: [own] + others, graphs: homes.map(\.overview))
  }

  private func overview(of peer: NodeRoster.Peer, named node: String) -> JSONObject {
    [
      "node": .string(node), "state": .string(roster.isAlive(peer, at: now) ? "alive" : "silent"),
      "version": .string(peer.heartbeat.program), "age": .number((now - peer.heard) / .seconds(1)),
    ]
  }
}

extension ClusterHome {
  /// The state of the log as this node sees it.
  var state: String {
    if fault != nil { return "stopped" }
    if node.absence != nil { return "away" }
    if isOwner { return writer?.progress.failure == nil ? "running" : "stalled" }
    if !ownership.isEligible, !isFollowed { return "waiting" }
    if term != nil { return "taking over" }
    return isFollowed ? "following" : "reading"
  }

  var overview: JSONObject {
    var members: JSONObject = ["graph": .string(graph), "state": .string(state)]
    if let owner = isOwner ? (node.name, term ?? 0) : ownership.owner {
      members["owner"] = .string(owner.0)
      members["term"] = .number(Double(owner.1))
    }
    let known = ownership.log.known
    members["sequence"] = .number(Double(known))
    // An owner has published everything that it has stored: the other records are snapshots.
    members["lag"] = .number(isOwner ? 0 : Double(known - min(known, toldSequence ?? 0)))
    if let commit = ownership.log.cursor?.number { members["commit"] = .number(Double(commit)) }
    if let lastCommit { members["last_commit"] = .string(Timestamp(microseconds: lastCommit).text) }
    if let reason { members["reason"] = .string(reason) }
    members["terms"] = .number(Double(failovers))
    members["failovers"] = .number(Double(failoverCount))
    members["fenced"] = .number(Double(fencings))
    members["commits"] = ["sum": .number(commitTime / .seconds(1)), "count": .number(Double(commitCount))]
    if let followLag, !isOwner { members["follow_lag"] = .number(Double(followLag) / 1e6) }
    return members
  }
}
