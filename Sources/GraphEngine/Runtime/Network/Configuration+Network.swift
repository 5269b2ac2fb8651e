package import GraphModel
import JSON

extension Configuration {
  /// The actions and publications that adapters carry tasks out for, in the files' order.
  package var networkActions: [NetworkAction] {
    let actions = graphs.flatMap(\.actions).compactMap { action -> NetworkAction? in
      guard let (connection, settings) = action.task.network else { return nil }
      return NetworkAction(
        name: action.name, role: .action, kind: connection.kind, connection: connection.name, settings: settings)
    }
    return actions + graphs.flatMap(\.signals).flatMap(\.sinks) + graphs.flatMap(\.actions).compactMap(\.button)
  }
}

extension Configuration {
  /// The MQTT connections of sources in some homes, each with one of these homes.
  ///
  /// Their brokers keep what arrives for as long as the sources are known.
  package func keptConnections(of homes: Set<Home>) -> [String: Home] {
    var connections: [String: Home] = [:]
    for signal in graphs.flatMap(\.signals) {
      guard let home = signal.home, homes.contains(home) else { continue }
      for case .connection(let name) in signal.body.source.needs { connections[name] = home }
    }
    return connections.filter { name, _ in server.connections.contains { $0.name == name && $0.kind == .mqtt } }
  }
}

extension SignalDeclaration {
  /// The publications whose messages the signal emits.
  package var publications: [Publication] { (body.source as? PublicationSource)?.publications ?? [] }

  /// The connection of its source, if that is on the network, or the first one that it publishes to.
  package var connection: String? {
    for case .connection(let name) in body.source.needs { return name }
    return publications.first?.connection
  }

  fileprivate var sinks: [NetworkAction] {
    publications.enumerated().map { place, publication in
      NetworkAction(
        name: place == 0 ? name : "\(name).\(place + 1)", role: .sink, kind: publication.kind,
        connection: publication.connection, settings: publication.declared, publication: (name, place))
    }
  }
}

extension Publication {
  /// The settings for the adapter: the topic or, of a computed one, its beginning.
  fileprivate var declared: JSONObject {
    var settings = settings
    if let announcement { settings["entity"] = .object(announcement) }
    switch topic {
    case .fixed(let topic, _): settings[word] = .string(topic)
    case .computed(_, let prefix): settings["prefix"] = .string(prefix)
    }
    return settings
  }
}
