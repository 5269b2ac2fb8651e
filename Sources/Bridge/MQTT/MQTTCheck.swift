internal import JSON
internal import Linux

/// A try of a connection to an MQTT broker: it logs in under a name of its own, and leaves.
final class MQTTCheck: ConnectionCheck {
  let connection: ConnectionDeclaration
  private var client: MQTTClient?

  init(_ connection: ConnectionDeclaration) { self.connection = connection }

  func run(loop: EventLoop, poller: Poller, found: @escaping (CheckFinding) -> Void) {
    do throws(TaskFailure) {
      var settings = connection.settings
      // The bridge itself keeps its name, and its will.
      settings["client_id"] = .string("\(try MQTTSettings(connection).client)-check")
      settings["will"] = nil
      settings["discovery"] = nil
      let trial = try MQTTSettings(connection.with(settings))
      let client = try MQTTClient(trial, isPersistent: false, loop: loop, poller: poller)
      self.client = client
      client.connected = { [self] _ in
        // The client goes on to its end within the library.
        loop.post { client.close() }
        let version = trial.isVersion5 ? "5" : "3.1.1"
        found(finding("\(trial.address) connected: MQTT \(version)", isGood: true))
      }
      client.lost = { [self] reason in
        found(finding("\(trial.address) away: \(trial.redacted(reason))", isGood: false))
      }
      client.connect(isPersistent: false)
    } catch {
      found(finding("cannot be used: \(error.message)", isGood: false))
    }
  }
}
