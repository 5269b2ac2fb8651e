import GraphStories
import GraphTools
import JSON
import Testing

@testable import GraphCatalogue
@testable import GraphModel

/// Connections of kinds that only other adapters know, and what uses them.
@Suite struct `Connections of other adapters` {
  private static func errors(_ connection: String, _ signal: String = "input: {}") -> [String] {
    do {
      _ = try TestGraph.configuration(
        """
        signalbox: 1
        server: {connections: {plant: {\(connection)}, web: {http: 'http://a'}}}
        graphs: {g: {signals: {a: {\(signal)}}}}
        """)
      return []
    } catch ConfigurationError.invalid(let diagnostics) {
      return diagnostics.list.map(\.text)
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `hand their settings to the adapter, without the secrets in messages`() throws {
    let text = """
      signalbox: 1
      server:
        connections:
          plant: {adapter: modbus, settings: {host: h, units: [1, {key: "${cred:key}"}]}, window: 3}
          log: {adapter: kafka-2}
      """
    let world = ConfigurationWorld(
      files: ["test.yaml": text, "/run/credentials/key": "top secret"],
      environment: ["CREDENTIALS_DIRECTORY": "/run/credentials"])
    let connections = try Configuration.load(.alone("test.yaml"), inputs: world.inputs).server.connections
    #expect(connections.map(\.kind.rawValue) == ["modbus", "kafka-2"])
    #expect(
      connections.map { JSONValue.object($0.settings).description } == [
        #"{"host":"h","units":[1,{"key":"top secret"}],"window":3,"limit":1048576}"#,
        #"{"window":64,"limit":1048576}"#,
      ])
    #expect(connections[0].withoutSecrets("no top secret here") == "no … here")
    #expect(connections.map(\.mostTasks) == [3, 64])
  }

  @Test(arguments: [
    ("adapter: http", "signalbox-bridge serves the kind http: write {http: ADDRESS}"),
    ("adapter: adapter", "expected the kind that an adapter serves"), ("adapter: Modbus", "up to 32 lowercase letters"),
    ("adapter: ''", "expected the kind that an adapter serves"),
    ("adapter: modbus, settings: 5", "expected a mapping"),
    ("adapter: modbus, settings: {window: 5}", "\"window\" is no setting of the adapter: write it beside settings"),
    ("adapter: modbus, window: 0", "at least 1"), ("adapter: modbus, host: h", "unknown key \"host\""),
    ("adaptor: modbus", "a connection needs the address of its peer under its kind, one of: http, mqtt, nats, adapter"),
    ("adapter: modbus, http: 'http://a'", "a connection has one kind"),
  ])
  func `report what is wrong with them`(connection: String, message: String) {
    #expect(Self.errors(connection).contains { $0.contains(message) }, "\(Self.errors(connection))")
  }

  @Test(arguments: [
    ("adapter: {connection: web}", "the connection \"web\" is of kind http, and one of kind adapter is needed"),
    (
      "http: {connection: plant, every: 1s}",
      "the connection \"plant\" is of kind modbus, and one of kind http is needed"
    ),
    ("adapter: {connection: plan}", "there is no connection \"plan\""),
    ("adapter: {connection: plant, settings: [1]}", "expected a mapping"),
    ("adapter: {connection: plant, settings: {as: x}}", "\"as\" is no setting of the adapter"),
    ("adapter: {connection: plant, register: 7}", "unknown parameter of adapter \"register\""),
    ("input: {}, publish: {adapter: {connection: plant}}", "topic"),
    ("input: {}, publish: {adapter: {connection: plant, topic: ''}}", "a topic is not empty"),
    ("input: {}, publish: {adapter: {connection: plant, topic: a, settings: {topic: b}}}", "\"topic\" is no setting"),
    (
      "input: {}, publish: {adapter: {connection: plant, topic: a, settings: {payload: b}}}",
      "\"payload\" is no setting"
    ),
    (
      "input: {}, publish: {adapter: {connection: web, topic: a}}", "is of kind http, and one of kind adapter is needed"
    ),
  ])
  func `report what is wrong with signals that use them`(signal: String, message: String) {
    let errors = Self.errors("adapter: modbus", signal)
    #expect(errors.contains { $0.contains(message) }, "\(errors)")
  }

  @Test func `have signals that tests stand in for`() throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {plant: {adapter: modbus}}}
      graphs:
        g:
          signals:
            flow: {adapter: {connection: plant, settings: {register: 7}}}
            doubled: {from: flow, pipe: [{map: . * 2}, {call: set}], publish: {adapter: {connection: plant, topic: '"r\\(.)"'}}}
          actions:
            set: {adapter: {connection: plant, request: '{register: 8, value: .}'}}
          tests:
            - script:
                - {at: 0s, send: {flow: 4}}
                - {at: 0s, expect: {call: {set: 8}}}
                - {at: 1s, send: {set: 9}}
                - {at: 1s, expect: {doubled: 9, doubled.published: {connection: plant, topic: r9, payload: 9}}}
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests { outcomes.append($0) }
    configuration.runTests(restarts: true) { outcomes.append($0) }
    #expect(outcomes.map(\.report).joined() == "")
  }
}
