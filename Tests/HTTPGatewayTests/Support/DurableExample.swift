import Foundation
import TestSupport

/// A daemon with a durable graph, and a gateway with access to its folder.
final class DurableExample {
  private static let graphs = """
    graphs:
      climate:
        durable: {history: {for: 1d}}
        signals:
          raw: {input: {type: number}}
          mean: {from: raw, pipe: [{window: {count: 2}}, {map: add / length}], hold: true}
          scaled: {combine: {mean: mean, factor: secret.factor}, pipe: [{map: .mean * .factor}], hold: true}
      secret:
        signals:
          factor: {property: {initial: 2}}
    """

  let daemon: RunningDaemon
  let gateway: RunningGateway
  let folder = TemporaryFolder()

  /// - Parameters:
  ///   - client: a script beside the gateway in place of the client program.
  ///   - state: the folder given to the gateway; by default the daemon's own.
  init(client: String? = nil, state: String? = nil) throws {
    let own = folder("state")
    daemon = try RunningDaemon("signalbox: 1\nserver: {state: \(own)}\n" + Self.graphs)
    let program = client == nil ? BuiltProgram.file(named: "signalbox-http") : folder.file(named: "signalbox-http")
    if let client { try folder.addPrograms(client: client) }
    gateway = try RunningGateway(daemon, options: ["--state", state ?? own], program: program)
  }

  deinit {
    gateway.kill()
    daemon.stop()
  }

  func send(_ values: Int...) throws {
    for value in values { _ = try gateway.ask("PUT", "/signals/climate.raw", body: "\(value)") }
  }

  func why(_ rest: String, token: String = RunningGateway.allToken) throws -> Answer {
    try gateway.ask("GET", "/signals/climate.\(rest)", token: token)
  }
}

extension TemporaryFolder {
  fileprivate func file(named name: String) -> URL { URL(fileURLWithPath: self(name)) }

  /// Installs the gateway here, and a script beside it under the client's name.
  fileprivate func addPrograms(client: String) throws {
    let (program, place) = (BuiltProgram.file(named: "signalbox-http"), file(named: "signalbox-http"))
    // A copy could not be started while a child of another test, between fork and exec, has it open for writing.
    do { try FileManager.default.linkItem(at: program, to: place) } catch {
      try FileManager.default.copyItem(at: program, to: place)
    }
    try "#!/bin/sh\n\(client)\n".write(toFile: self("signalbox"), atomically: true, encoding: .utf8)
    chmod(self("signalbox"), 0o700)
  }
}
