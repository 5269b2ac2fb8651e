import Base
package import Signals

extension SystemNetwork {
  /// Encodes what adapters know and have.
  ///
  /// - Parameter identifier: Returns the number of an adapter's connection.
  package func encode(to writer: inout StateEncoder, identifier: (any AdapterLink) -> Int?) {
    lastNumber.encode(to: &writer)
    connections.filter(\.isConnected).map(\.name).encode(to: &writer)
    adapters.compactMap { adapter in identifier(adapter.link).map { AdapterState(adapter, connection: $0) } }
      .encode(to: &writer)
  }

  /// Adopts the adapters of the process that has handed over.
  ///
  /// - Parameter link: Returns the link to the adapter of a connection.
  package func restore(
    from reader: inout StateDecoder, link: (Int, AttachedAdapter.Record) -> AttachedAdapter?
  ) throws(StateError) {
    lastNumber = try UInt64(from: &reader)
    for name in try [String](from: &reader) { _ = connection(named: name)?.set(connected: true, reason: nil) }
    for state in try [AdapterState](from: &reader) {
      guard let adapter = link(state.connection, state.record) else { continue }
      (adapter.known, adapter.knownConnections) = (state.known, state.knownConnections)
      adapters.append(adapter)
      handedOver.expect(state.tasks, of: adapter)
    }
    isStale = true
    adoptWaiting()
  }

  /// Durable graphs have resumed before their adapters were known.
  private func adoptWaiting() {
    for connection in connections {
      let waiting = connection.waiting.all
      connection.waiting = .init()
      for task in waiting where !adopt(task) { connection.waiting.append(task) }
    }
  }
}
