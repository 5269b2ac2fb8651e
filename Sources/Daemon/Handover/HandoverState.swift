import GraphModel
package import Persistence
import Signals

/// The state of a daemon between two iterations, for the next process.
///
/// Each part is decoded by its own component.
package struct HandoverState {
  /// The process and the version of its program, for log messages.
  let processID: Int32
  let program: String
  /// The path of the listening socket, and true if the daemon has created its file.
  let socketPath: String?
  let ownsSocketFile: Bool
  /// The configuration that was in force.
  package let configuration: StoredConfiguration
  /// The counts and clocks of the daemon itself.
  let daemon: [UInt8]
  /// The state of the durable graphs that ran, by home.
  let durable: [Home: HandedOverGraphs]
  let users: [UInt8]
  let graphs: [UInt8]
  let clients: [UInt8]
  let listeners: [UInt8]

  init(
    processID: Int32, program: String, socketPath: String?, ownsSocketFile: Bool, configuration: StoredConfiguration,
    daemon: [UInt8], durable: [Home: HandedOverGraphs], users: [UInt8], graphs: [UInt8], clients: [UInt8],
    listeners: [UInt8]
  ) {
    self.processID = processID
    self.program = program
    self.socketPath = socketPath
    self.ownsSocketFile = ownsSocketFile
    self.configuration = configuration
    self.daemon = daemon
    self.durable = durable
    self.users = users
    self.graphs = graphs
    self.clients = clients
    self.listeners = listeners
  }

  var bytes: [UInt8] {
    var writer = StateEncoder()
    Int(processID).encode(to: &writer)
    writer.text(program)
    socketPath.encode(to: &writer)
    ownsSocketFile.encode(to: &writer)
    writer.blob(configuration.bytes)
    writer.blob(daemon)
    durable[.folder].encode(to: &writer)
    for part in [users, graphs, clients, listeners] { writer.blob(part) }
    encodeStreams(to: &writer)
    return writer.bytes
  }

  /// Encodes the graphs of homes other than the folder; nothing if there are none, as states were before these existed.
  private func encodeStreams(to writer: inout StateEncoder) {
    let streams = durable.filter { $0.key != .folder }.sorted { $0.key.subject < $1.key.subject }
    for case (.stream(let graph, let partition), let state) in streams {
      writer.text(graph)
      writer.count(partition)
      state.encode(to: &writer)
    }
  }

  /// - Parameter present: The configuration to apply now, which is not parsed again if it was in force before.
  init(_ bytes: [UInt8], present: StoredConfiguration) throws(StateError) {
    var reader = StateDecoder(bytes)
    processID = Int32(truncatingIfNeeded: try Int(from: &reader))
    program = try reader.text()
    socketPath = try String?(from: &reader)
    ownsSocketFile = try Bool(from: &reader)
    let former = Array(try reader.blob())
    configuration =
      former == present.bytes ? present : try StoredConfiguration(former).evaluated(as: present.configuration)
    daemon = Array(try reader.blob())
    var durable: [Home: HandedOverGraphs] = [:]
    durable[.folder] = try HandedOverGraphs?(from: &reader)
    users = Array(try reader.blob())
    graphs = Array(try reader.blob())
    clients = Array(try reader.blob())
    listeners = Array(try reader.blob())
    while !reader.isAtEnd {
      let (graph, partition) = (try reader.text(), try reader.count())
      durable[.stream(graph: graph, partition: partition)] = try HandedOverGraphs(from: &reader)
    }
    self.durable = durable
  }
}
