import Base
import GraphEngine
package import GraphModel
package import JSON
import Linux
import WireProtocol

/// The state of a connection to a peer on the network, and what waits for it.
package final class NetworkConnection {
  package private(set) var settings: PeerConnection
  package private(set) var isConnected = false
  /// The reason for which adapters do not make it at present, although it is declared.
  var withheld: String?
  /// Why it is away.
  private(set) var reason: String? = NetworkConnection.noAdapter
  /// The time of its present state.
  private(set) var since = WallTime.now()
  /// The tasks that were not given yet.
  var waiting = FirstInFirstOut<GivenTask>()
  /// The number of tasks that an adapter has.
  var givenCount = 0
  private(set) var doneCount: UInt64 = 0
  private(set) var failedCount: UInt64 = 0

  static let noAdapter = "no adapter"
  static let noReport = "the adapter has not reported yet"

  init(_ settings: PeerConnection) { self.settings = settings }

  var name: String { settings.name }

  /// The most tasks to give at the same time: those that it carries out, and as many to follow at once.
  var mostGiven: Int { settings.mostTasks }

  /// Sets the state.
  ///
  /// - Returns: `true` if it has changed.
  func set(connected: Bool, reason: String?) -> Bool {
    if connected == isConnected, reason == self.reason { return false }
    if connected != isConnected { since = .now() }
    isConnected = connected
    self.reason = reason
    return true
  }

  func apply(_ settings: PeerConnection) { self.settings = settings }

  func count(_ answer: TaskAnswer) {
    switch answer {
    case .progress: break
    case .done: doneCount += 1
    case .failed: failedCount += 1
    }
  }

  /// The state as a value: `{connection, kind, state, reason, since}`.
  package var state: JSONObject {
    var members: JSONObject = [
      "connection": .string(name), "kind": .string(settings.kind.rawValue),
      "state": .string(isConnected ? "connected" : "away"),
    ]
    if let reason { members["reason"] = .string(reason) }
    members["since"] = .string(Timestamp(microseconds: since.microseconds).text)
    return members
  }

  var statistics: JSONValue {
    var members = state
    members["connection"] = nil
    members["address"] = .string(settings.address)
    members["waiting"] = .number(Double(waiting.all.count { !$0.isOver }))
    members["given"] = .number(Double(givenCount))
    members["done"] = .number(Double(doneCount))
    members["failed"] = .number(Double(failedCount))
    return .object(members)
  }

  /// The settings that have an adapter publish something of its own.
  private static let announcing = ["will", "discovery"]

  /// Returns the settings for an adapter, secrets included.
  ///
  /// - Parameters:
  ///   - isDryRun: True if the adapter may publish nothing.
  ///   - socket: The path of the daemon's socket.
  func declaration(isDryRun: Bool, socket: String?) -> JSONValue {
    var present = settings.settings
    if settings.kind == .mqtt, present["client_id"] == nil {
      present["client_id"] = .string(BrokerClient.name(for: name, socket: socket))
    }
    if withheld != nil { present["withheld"] = true }
    if isDryRun { for name in Self.announcing { present[name] = nil } }
    return ["connection": .string(name), "kind": .string(settings.kind.rawValue), "settings": .object(present)]
  }
}
