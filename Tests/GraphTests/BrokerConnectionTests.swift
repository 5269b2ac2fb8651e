import GraphStories
import JSON
import Testing

@testable import GraphCatalogue
@testable import GraphEngine
@testable import GraphModel

/// The connections to brokers, and the signals that name them.
@Suite struct `Connections to brokers` {
  private static func errors(_ text: String) -> [String] {
    do {
      _ = try TestGraph.configuration("signalbox: 1\n" + text)
      return []
    } catch ConfigurationError.invalid(let diagnostics) {
      return diagnostics.list.map(\.text)
    } catch {
      return ["\(error)"]
    }
  }

  private static func errors(of connection: String) -> [String] {
    errors("server: {connections: {home: {\(connection)}}}\n")
  }

  @Test func `have settings with their defaults`() throws {
    let text = """
      signalbox: 1
      server:
        connections:
          home: {mqtt: mqtt://h, user: me, password: "${cred:mqtt}"}
          tls: {mqtt: "mqtts://[::1]:99", version: 3.1.1, tls: {ca: /ca}, will: {topic: gone, payload: x, retain: true}}
          socket: {mqtt: "unix:/run/m", discovery: homeassistant, keepalive: 10s, window: 7}
          fleet: {nats: ["nats://a", "nats://b:1"], token: "${cred:mqtt}"}
          safe: {nats: "tls://c"}
      """
    let world = ConfigurationWorld(
      files: ["test.yaml": text, "/run/credentials/mqtt": "top secret"],
      environment: ["CREDENTIALS_DIRECTORY": "/run/credentials"])
    let configuration = try Configuration.load(.alone("test.yaml"), inputs: world.inputs)
    let connections = configuration.server.connections
    #expect(
      connections.map { JSONValue.object($0.settings).description } == [
        #"{"host":"h","port":1883,"user":"me","password":"top secret","version":"5","keepalive":30,"session":604800,"window":512,"limit":1048576}"#,
        #"{"host":"::1","port":99,"version":"3.1.1","keepalive":30,"session":604800,"window":512,"limit":1048576,"tls":{"ca":"/ca"},"will":{"topic":"gone","payload":"x","qos":0,"retain":true}}"#,
        #"{"path":"/run/m","version":"5","keepalive":10,"session":604800,"window":7,"limit":1048576,"discovery":{"prefix":"homeassistant","node":"signalbox"}}"#,
        #"{"servers":["nats://a:4222","nats://b:1"],"token":"top secret","window":512,"limit":1048576}"#,
        #"{"servers":["tls://c:4222"],"window":512,"limit":1048576,"tls":{}}"#,
      ])
    #expect(connections[0].withoutSecrets("no top secret here") == "no … here")
    #expect(connections.map(\.mostTasks) == [512, 512, 7, 512, 512])
  }

  @Test(arguments: [
    ("mqtt: 'http://a'", "expected the address of a broker: mqtt://HOST:PORT or mqtts://HOST:PORT, or unix:/path"),
    ("mqtt: 'mqtt://u:p@a'", "an address has no user and no password: give them by their keys, or unix:/path"),
    ("mqtt: 'mqtt://a/b'", "the address of a broker ends behind its port, or unix:/path"),
    ("mqtt: 'mqtt://a', password: x", "a password goes with a user"),
    ("mqtt: 'mqtt://a', version: 4", "expected one of 3.1.1, 5"),
    ("mqtt: 'mqtt://a', keepalive: 1s", "must be at least 5s"),
    ("mqtt: 'mqtt://a', tls: {key: /x}", "a certificate and its key go together"),
    ("mqtt: 'mqtt://a', will: {payload: x}", "\"topic\""),
    ("mqtt: 'mqtt://a', will: {topic: 'a/#'}", "the topic of a message has no wildcards"),
    ("mqtt: 'mqtt://a', discovery: {homeassistant: ha, node: 'a b'}", "a node is named by letters"),
    ("nats: 'http://a'", "expected the address of a broker: nats://HOST:PORT or tls://HOST:PORT"),
    ("nats: []", "expected 1 to 64 addresses"),
    ("nats: 'nats://a', user: x", "a user and a password go together"),
    ("nats: 'nats://a', token: x, credentials: y", "give one of credentials, user and token"),
    ("http: 'http://a', mqtt: 'mqtt://a'", "a connection has one kind, and this one is of kind http"),
  ])
  func `are checked`(connection: String, error: String) {
    let errors = Self.errors(of: connection)
    #expect(errors.first?.contains(error) == true, "\(errors)")
  }

  @Test func `report all errors at once, also without a kind`() {
    let errors = Self.errors(of: "mqt: 'mqtt://a', keepalive: soon, user: 7, wil: {}")
    #expect(errors.count == 4, "\(errors)")
    #expect(errors[0].contains("one of: http, mqtt, nats"))
    #expect(Self.errors(of: "htp: 'http://a', timeout: soon").count == 2)
    #expect(Self.errors(of: "timeout: soon").count == 2)
  }

  @Test func `with errors of their own are known to the signals that name them`() {
    let errors = Self.errors(
      """
      server: {connections: {home: {mqtt: 'mqtt://a', keepalive: soon}}}
      graphs: {g: {signals: {s: {mqtt: {connection: home, topic: a}}}}}
      """)
    #expect(errors.count == 1, "\(errors)")
  }

  private static let server = "server: {connections: {home: {mqtt: 'mqtt://a'}, fleet: {nats: 'nats://a'}}}\n"

  @Test(arguments: [
    ("mqtt://a, client_id: x", "mqtt://a:1883, client_id: x", true),
    ("mqtt://a, client_id: x", "mqtt://a, client_id: x-out", true),
    ("mqtt://a, client_id: x", "mqtt://b, client_id: x", false),
    ("mqtt://a, client_id: x", "mqtt://a, client_id: y", false),
    ("mqtt://a", "mqtt://a", false),
  ])
  func `take a client's name once at each broker`(one: String, other: String, isError: Bool) {
    let errors = Self.errors("server: {connections: {one: {mqtt: \(one)}, other: {mqtt: \(other)}}}\n")
    #expect(
      errors.first?.contains("other and one would be one client of their broker: give each its own client_id") ?? false
        == isError, "\(errors)")
  }

  @Test(arguments: [
    ("mqtt: {connection: fleet, topic: a}", #"the connection "fleet" is of kind nats"#),
    ("mqtt: {connection: home, topic: 'a/b+'}", "is a whole level, as in"),
    ("mqtt: {connection: home, topic: '#/a'}", "is the last level, as in"),
    ("mqtt: {connection: home, topic: ''}", "a topic is not empty"),
    ("mqtt: {connection: home, topic: a, qos: 3}", "must be at most 2"),
    ("mqtt: {connection: home, topic: a}, cold: true", #""mqtt" cannot be cold"#),
    ("nats: {connection: fleet}", "nats: give a subject, or a stream with its consumer"),
    ("nats: {connection: fleet, subject: 'a..b'}", "a subject has no empty token"),
    ("nats: {connection: fleet, subject: 'a.>.b'}", #"the wildcard ">" is the last token"#),
    ("nats: {connection: fleet, stream: S}", "nats: a stream and a consumer go together"),
    ("nats: {connection: fleet, stream: S, consumer: C, queue: q}", "nats: give one of queue and stream"),
    ("input: {}, publish: {http: {}}", #"unknown key of publish "http""#),
    ("input: {}, publish: {mqtt: {connection: home, topic: 'a/+'}}", "has no wildcards"),
    ("input: {}, publish: {mqtt: {connection: home, topic: '\"\\(.x)/a\"'}}", "begins with a fixed text"),
    ("input: {}, publish: {mqtt: {connection: home, topic: '\"a/\" | .x'}}", "is one text in quotes"),
    ("input: {}, publish: {mqtt: {connection: home, topic: '\"a/\\(.x'}}", ""),
    ("input: {}, publish: {mqtt: {connection: home, topic: a, entity: swich}}", "expected one of sensor"),
    ("input: {}, publish: {mqtt: {connection: home, topic: a, entity: select}}", "a select needs its options"),
    ("input: {}, publish: {mqtt: {connection: home, topic: a, entity: {component: text, min: 1}}}", "a text has no"),
    (
      "input: {}, publish: {mqtt: {connection: home, topic: a, entity: {min: 2, max: 1}}}",
      "max has to be greater than min"
    ),
    ("input: {}, publish: {mqtt: {connection: home, topic: a, entity: {step: 0}}}", "step has to be at least 0.001"),
    (
      "input: {}, publish: {mqtt: {connection: home, topic: a, entity: {category: x}}}",
      "has to be config or diagnostic"
    ),
    (
      "input: {type: string}, publish: {mqtt: {connection: home, topic: a, entity: switch}}",
      "a switch sends values to an input or a property, and this one takes a string"
    ),
    ("value: 1, publish: {mqtt: {connection: home, topic: a, entity: button}}", "and this one takes no values"),
    ("input: {}, publish: {nats: {connection: fleet, subject: a, entity: switch}}", "entity"),
    ("input: {}, publish: []", "expected what to publish: {mqtt: {…}} or {nats: {…}}"),
    ("input: {}, publish: 7", "expected what to publish: {mqtt: {…}} or {nats: {…}}"),
    ("input: {}, publish: {nats: {connection: fleet, subject: 'a b'}}", "a subject has no spaces"),
  ])
  func `are named rightly`(signal: String, error: String) {
    let errors = Self.errors(Self.server + "graphs: {g: {signals: {s: {\(signal)}}}}\n")
    #expect(errors.first?.contains(error) == true, "\(errors)")
  }

  @Test(
    arguments: [
      ("input: {type: boolean}", "", #"{"component":"switch","signal":"g.s"}"#),
      ("property: {initial: 3}", "", #"{"component":"number","signal":"g.s"}"#),
      (
        "property: {initial: 3, type: integer}, unit_of_measurement: s", ", entity: {min: 1, max: 9, name: Wait}",
        #"{"name":"Wait","min":1,"max":9,"component":"number","unit":"s","signal":"g.s","integer":true}"#
      ),
      ("input: {type: string}", "", #"{"component":"text","signal":"g.s"}"#),
      ("input: {}", ", entity: {options: [a, b]}", #"{"options":["a","b"],"component":"select","signal":"g.s"}"#),
      ("input: {}", ", entity: {press: {x: 1}}", #"{"press":{"x":1},"component":"button","signal":"g.s"}"#),
      ("input: {}", "", nil), ("value: 1", "", nil),
      ("value: 1, unit_of_measurement: s", "", #"{"component":"sensor","unit":"s"}"#),
      ("input: {type: boolean}", ", entity: sensor", #"{"component":"sensor"}"#),
      ("value: true", ", entity: binary_sensor", #"{"component":"binary_sensor"}"#),
    ] as [(String, String, String?)])
  func `send the adapter the entity that a published signal is`(signal: String, entity: String, expected: String?)
    throws
  {
    let publish = "publish: {mqtt: {connection: home, topic: a\(entity)}}"
    let configuration = try TestGraph.configuration(
      "signalbox: 1\n" + Self.server + "graphs: {g: {signals: {s: {\(signal), \(publish)}}}}\n")
    let sink = try #require(configuration.networkActions.first)
    #expect(sink.settings["entity"].map { $0.description } == expected)
  }

  @Test(
    arguments: [
      (#""home/\(.room)""#, "home/"), (#""a""#, "a"), (#" "a\"b\(1)" "#, "a\"b"), (#""\(1)""#, ""),
      (#""a/\(")" + "\(.x)")b""#, "a/"), (#""a" | .x"#, nil), (#"".a"#, nil), (#".a"#, nil), (#""a\(.b""#, nil),
    ] as [(String, String?)])
  func `keep the beginning of a computed topic`(expression: String, prefix: String?) {
    #expect(ComputedText.prefix(of: expression) == prefix)
  }
}
