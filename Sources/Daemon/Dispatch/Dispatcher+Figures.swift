import GraphEngine
import GraphModel
import JSON
import Persistence
import World

extension Dispatcher {
  /// The values waiting in calls of actions, by the full names of the signals that make them.
  var waitingCalls: [String: [WaitingCalls]] {
    var calls = hub.runtime.waitingCalls
    for graphs in hub.homes.running { calls.merge(graphs.waitingCalls) { _, durable in durable } }
    return calls
  }

  /// Returns the values waiting in calls without the names of actions that the client may not know.
  func waitingCalls(for client: ClientIdentity) -> [String: [WaitingCalls]] {
    waitingCalls.mapValues { calls in
      calls.map { call in
        var call = call
        if case .action(let name)? = call.target, !isAction(name, for: client) { call.target = nil }
        return call
      }
    }
  }

  /// The failures of sources on the network that have brought nothing since, by the full names of their signals.
  var sourceFailures: [String: NotedFailure] {
    var failures = hub.runtime.sourceFailures
    for graphs in hub.homes.running { failures.merge(graphs.sourceFailures) { _, durable in durable } }
    return failures
  }

  /// Notes that the source of a signal works again, although it brings nothing.
  func endFailure(ofSource channel: Channel) {
    guard let commits = channel.commits else { return hub.runtime.endFailure(ofSource: channel.name) }
    commits.graphs.endFailure(ofSource: channel.name)
  }

  /// Returns the full queues that the senders or the source of a signal wait for, as far as a client may see them.
  ///
  /// - Parameter calls: The calls as the client may see them.
  func pauses(of channel: Channel, _ calls: [String: [WaitingCalls]], for client: ClientIdentity) -> [JSONObject] {
    guard channel.isCongested, channel.signal.acceptsValues || channel.signal.declaration.canWait else {
      return []
    }
    return channel.fullQueues.filter { hub.channel(named: $0, for: client) != nil }.flatMap { name in
      (calls[name] ?? []).filter(\.isFull).map {
        JSONObject(distinct: [.init(key: "signal", value: .string(name))] + [$0.target?.member].compactMap(\.self))
      }
    }
  }

  /// The connection that a signal or an action needs, with its state.
  func connection(of channel: Channel) -> NetworkConnection? {
    guard network.isUsed else { return nil }
    let declaration = channel.signal.declaration
    if let name = declaration.connection { return network.connection(named: name) }
    guard channel.signal.kind == .action else { return nil }
    let action = channel.name.split(separator: ".").dropLast().joined(separator: ".")
    return network.connection(ofAction: action)
  }
}

extension CallTarget {
  fileprivate var member: JSONObject.Member {
    switch self {
    case .action(let name): .init(key: "action", value: .string(name))
    case .connection(let name): .init(key: "connection", value: .string(name))
    }
  }
}

extension WaitingCalls {
  /// The figures of one `call`, or of messages over one connection: how many wait, since when, and the failure of the last
  /// attempt.
  func figures(at now: Int64) -> JSONObject {
    var members = JSONObject(distinct: [target?.member].compactMap(\.self))
    members["waiting"] = .number(Double(count))
    if let oldest { members["age"] = .number(max(0, Double(now - oldest) / 1e6)) }
    if let failure { members["error"] = .object(failure.figures(at: now)) }
    return members
  }
}

extension NotedFailure {
  /// The failure with the time since.
  func figures(at now: Int64) -> JSONObject {
    var error: JSONObject = ["code": .string(failure.code), "message": .string(failure.message)]
    if let status { error["status"] = .number(Double(status)) }
    error["age"] = .number(max(0, Double(now - time) / 1e6))
    return error
  }
}

extension [WaitingCalls] {
  /// The figures of all calls of a signal together; `nil` if there are none.
  func figures(at now: Int64) -> JSONObject? {
    let count = reduce(0) { $0 + $1.count }
    let last = filter { $0.failure != nil }.max { ($0.failure?.time ?? 0) < ($1.failure?.time ?? 0) }
    if count == 0, last == nil { return nil }
    var members: JSONObject = ["waiting": .number(Double(count))]
    if let oldest = compactMap(\.oldest).min() { members["age"] = .number(Swift.max(0, Double(now - oldest) / 1e6)) }
    if let last, let failure = last.failure {
      var error = failure.figures(at: now)
      if let target = last.target?.member { error[target.key] = target.value }
      members["error"] = .object(error)
    }
    return members
  }
}
