package import Persistence
import ReactiveCore

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
  /// The state of durable graphs; `nil` if none ran.
  let durable: HandedOverGraphs?
  let users: [UInt8]
  let graphs: [UInt8]
  let clients: [UInt8]
  let listeners: [UInt8]

  init(
    processID: Int32, program: String, socketPath: String?, ownsSocketFile: Bool, configuration: StoredConfiguration,
    daemon: [UInt8], durable: HandedOverGraphs?, users: [UInt8], graphs: [UInt8], clients: [UInt8], listeners: [UInt8]
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
    durable.encode(to: &writer)
    for part in [users, graphs, clients, listeners] { writer.blob(part) }
    return writer.bytes
  }

  /// - Parameter present: The configuration to apply now, which is not parsed again if it was in force before.
  init(_ bytes: [UInt8], present: StoredConfiguration) throws(StateError) {
    var reader = StateDecoder(bytes)
    processID = Int32(truncatingIfNeeded: try Int(from: &reader))
    program = try reader.text()
    socketPath = try String?(from: &reader)
    ownsSocketFile = try Bool(from: &reader)
    let former = Array(try reader.blob())
    configuration = former == present.bytes ? present : try StoredConfiguration(former)
    daemon = Array(try reader.blob())
    durable = try HandedOverGraphs?(from: &reader)
    users = Array(try reader.blob())
    graphs = Array(try reader.blob())
    clients = Array(try reader.blob())
    listeners = Array(try reader.blob())
    if !reader.isAtEnd { throw StateError("unexpected data after the end") }
  }
}
