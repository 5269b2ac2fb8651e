import Base
import GraphEngine
import GraphModel
import WireProtocol

// The search for the signal that a request names, shared by several ops.
extension Dispatcher {
  /// Returns the signal with a name, if it is visible to the client.
  func channel(_ name: String, for client: ClientIdentity) throws(WireError) -> Channel {
    if let channel = hub.channel(named: name, for: client) { return channel }
    throw unknownSignal(name, for: client)
  }

  /// Returns the signal with a name, if the client may subscribe to it.
  func channel(toSubscribe name: String, for client: ClientIdentity) throws(WireError) -> Channel {
    let channel = try channel(name, for: client)
    if channel.access.maySubscribe(client) { return channel }
    throw WireError(.denied, "no permission to subscribe to \"\(channel.name)\"")
  }

  /// Returns the signals of a graph that are visible to the client.
  func channels(ofGraph graph: String, for client: ClientIdentity) throws(WireError) -> [Channel] {
    let visible = hub.visibleChannels(to: client)
    let channels = visible.filter { $0.graph == graph }
    if !channels.isEmpty { return channels }
    let hint = Suggestion.likely(for: graph, among: Set(visible.map(\.graph)).sorted())
    throw WireError(.unknownGraph, "no graph \(graph.quoted)\(hint.map { "; did you mean \"\($0)\"?" } ?? "")")
  }

  /// Returns the direct downstream of a signal, in the order of the configuration.
  func downstream(of channel: Channel) -> [String] {
    if dependents?.generation != hub.runtime.generation {
      var names: [String: [String]] = [:]
      for channel in hub.channels {
        for upstream in channel.signal.declaration.upstream { names[upstream, default: []].append(channel.name) }
      }
      dependents = (hub.runtime.generation, names)
    }
    return dependents?.names[channel.name] ?? []
  }

  /// The most names to search for a suggestion: a client can ask as often as it likes.
  static let suggestions = 1000

  func unknownSignal(_ name: String, for client: ClientIdentity) -> WireError {
    if isAction(name, for: client) {
      return WireError(
        .unknownSignal, "\(name.quoted) is an action, not a signal: call it, or subscribe to \("\(name).values".quoted)"
      )
    }
    let known = hub.channels.lazy.filter { $0.access.isVisible(to: client) }.prefix(Self.suggestions).map(\.name)
    let hint = Suggestion.likely(for: name, among: known)
    return WireError(.unknownSignal, "no signal \(name.quoted)\(hint.map { "; did you mean \"\($0)\"?" } ?? "")")
  }
}
