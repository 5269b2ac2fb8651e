import Foundation
import JSON
import TestSupport
import Testing

/// A daemon with a folder of its own, and the values sent to it.
struct Plant {
  let folder = TemporaryFolder()
  let daemon: RunningDaemon

  /// - Parameter graphs: The YAML of the graphs, with its first line.
  init(_ graphs: String) throws {
    daemon = try RunningDaemon("signalbox: 1\nserver: {state: \"\(folder("state"))\"}\n\(graphs)")
  }

  var state: String { folder("state") }

  func send(_ signal: String, _ values: String...) throws {
    for value in values { #expect(try Client.run("send", signal, value, socket: daemon.socket).status == 0) }
  }

  func run(_ arguments: String...) throws -> Client.Result { try Client.run(arguments, socket: daemon.socket) }

  func object(_ arguments: String...) throws -> JSONObject {
    var parser = JSONParser()
    let result = try Client.run(arguments)
    guard case .object(let object) = try parser.value(of: Array(result.output.utf8).span) else { return JSONObject() }
    return object
  }

  func end() {
    daemon.stop()
    try? FileManager.default.removeItem(atPath: state)
  }
}
