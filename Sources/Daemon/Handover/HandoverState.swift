package import Persistence
import ReactiveCore

/// The state of a daemon between two turns, for the process that follows it: its parts are read by those whose they are.
package struct HandoverState {
  /// The process, and the version of its program, for people.
  let processID: Int32
  let program: String
  /// Where the listening socket is, and whether its file is the daemon's own.
  let socketPath: String?
  let ownsSocketFile: Bool
  /// The configuration that ran.
  package let configuration: StoredConfiguration
  /// The counts and clocks of the daemon itself.
  let daemon: [UInt8]
  /// How durable graphs stood; `nil` where none ran.
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
    var writer = StateWriter()
    Int(processID).store(in: &writer)
    writer.text(program)
    socketPath.store(in: &writer)
    ownsSocketFile.store(in: &writer)
    writer.blob(configuration.bytes)
    writer.blob(daemon)
    durable.store(in: &writer)
    for part in [users, graphs, clients, listeners] { writer.blob(part) }
    return writer.bytes
  }

  /// - Parameter present: The configuration that is to run now, which need not be read once more where it ran before.
  init(_ bytes: [UInt8], present: StoredConfiguration) throws(StateError) {
    var reader = StateReader(bytes)
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
    if !reader.isAtEnd { throw StateError("something follows it") }
  }
}
