import GraphTools
import JSON
import Testing

@testable import GraphEngine
@testable import GraphModel

/// What signals publish to brokers, in tests of virtual time.
@Suite struct `Published messages` {
  /// Runs a test of a signal that publishes, also with restarts between all of its instants.
  private static func report(_ publish: String, _ test: String, input: String = "input: {endable: true}") throws
    -> String
  {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {home: {mqtt: 'mqtt://a'}, fleet: {nats: 'nats://a'}}}
      graphs:
        g:
          signals:
            raw: {\(input), publish: \(publish)}
          tests: [{\(test)}]
      """)
    var outcomes: [TestOutcome] = []
    configuration.runTests { outcomes.append($0) }
    configuration.runTests(restarts: true) { outcomes.append($0) }
    return outcomes.map(\.report).joined()
  }

  @Test func `are values of a signal of their own`() throws {
    #expect(
      try Self.report(
        "{mqtt: {connection: home, topic: home/alarm}}",
        """
        script: [{at: 0s, send: {raw: 'on'}},
          {at: 0s, expect: {raw.published: {connection: home, topic: home/alarm, payload: 'on'}}},
          {at: 1s, send: {raw: {level: 2}}},
          {at: 1s, expect: {raw.published: {connection: home, topic: home/alarm, payload: {level: 2}}}}]
        """) == "")
  }

  @Test func `go to several brokers, with a computed topic and payload`() throws {
    #expect(
      try Self.report(
        """
        [{mqtt: {connection: home, topic: '"rooms/\\(.room)"', payload: .level}},
          {nats: {connection: fleet, subject: '"rooms.\\(.room)"'}}]
        """,
        """
        script: [{at: 0s, send: {raw: {room: hall, level: 2}}},
          {at: 0s, expect: {raw.published: {connection: home, topic: rooms/hall, payload: 2}}},
          {at: 0s, expect: {raw.published:
            {connection: fleet, subject: rooms.hall, payload: {room: hall, level: 2}}}}]
        """) == "")
  }

  /// The messages of a signal with `entity` and a connection that announces, and how it is announced.
  private static func announced(_ signal: String, home: String = "discovery: homeassistant") throws -> [String] {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {home: {mqtt: 'mqtt://a', \(home)}, other: {mqtt: 'mqtt://b'}}}
      graphs: {my_house: {signals: {lamp: {\(signal)}}}}
      """)
    return configuration.networkActions.map { "\($0.connection) \(JSONValue.object($0.settings).description)" }
  }

  @Test func `go where Home Assistant looks, without a topic, if the signal is an entity`() throws {
    #expect(
      try Self.announced("property: {initial: false}, entity: {name: Lamp}") == [
        #"home {"qos":1,"retain":true,"entity":{"name":"Lamp","component":"switch","signal":"my_house.lamp"},"topic":"signalbox/my_-house__lamp/state"}"#
      ])
    #expect(
      try Self.announced("input: {}, entity: button", home: "discovery: {homeassistant: ha, node: n}") == [
        #"home {"qos":1,"entity":{"component":"button","signal":"my_house.lamp"},"topic":"n/my_-house__lamp/state"}"#
      ])
    #expect(
      try Self.announced("input: {type: {enum: [a, b]}}, entity: select") == [
        #"home {"qos":1,"retain":true,"entity":{"component":"select","signal":"my_house.lamp","options":["a","b"]},"topic":"signalbox/my_-house__lamp/state"}"#
      ])
    let actions = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {home: {mqtt: 'mqtt://a', discovery: homeassistant}}}
      graphs: {g: {signals: {ring: {input: {}, entity: button}}, actions: {ring: {exec: [x], entity: {icon: i}}}}}
      """
    ).networkActions
    #expect(actions.map(\.name) == ["g.ring.published", "g.ring.action.published"])
    #expect(
      JSONValue.object(actions[1].settings).description
        == #"{"topic":"signalbox/g__ring__action/state","entity":{"icon":"i","component":"button","action":"g.ring","name":"g.ring"}}"#
    )
    let publish = "publish: [{mqtt: {connection: home, topic: t}}, {nats: {connection: x, subject: y}}]"
    #expect(throws: ConfigurationError.self) { try Self.announced("input: {}, entity: sensor, \(publish)") }
    #expect(
      try Self.announced(
        "input: {}, entity: {component: sensor, name: A}, publish: {mqtt: {connection: home, topic: t}}") == [
          #"home {"qos":1,"entity":{"name":"A","component":"sensor"},"topic":"t"}"#
        ])
  }

  @Test(arguments: [
    ("input: {}, entity: sensor", "keepalive: 9s", "no connection has discovery: homeassistant"),
    ("input: {}, entity: lamp", "discovery: homeassistant", "expected one of sensor"),
    (
      "input: {}, entity: sensor, publish: {mqtt: {connection: home, topic: t, entity: sensor}}",
      "discovery: homeassistant", "entity is given twice"
    ),
    ("value: 1, entity: switch", "discovery: homeassistant", "this one takes no values"),
    ("input: {type: string}, entity: select", "discovery: homeassistant", "a select needs its options"),
    ("input: {type: {enum: [1, 2]}}, entity: select", "discovery: homeassistant", "a select"),
    (
      "input: {type: integer}, entity: {step: 0.5}", "discovery: homeassistant",
      "step has to be a whole number, as the type is integer"
    ),
    (
      "property: {initial: c}, entity: {options: [a, b]}", "discovery: homeassistant",
      "is the initial value, but no option: "
    ),
    (
      "property: {initial: 3}, entity: {min: 5}", "discovery: homeassistant",
      "the initial value is less than min, 5"
    ),
    (
      "property: {initial: 3}, entity: {max: 2}", "discovery: homeassistant",
      "the initial value is greater than max, 2"
    ),
    (
      "input: {type: {type: number, maximum: 30}}, entity: {min: 40}", "discovery: homeassistant",
      "max has to be greater than min"
    ),
  ])
  func `are refused where the entity is wrong`(signal: String, home: String, message: String) throws {
    var text = ""
    do { _ = try Self.announced(signal, home: home) } catch { text = "\(error)" }
    #expect(text.contains(message), "\(text)")
  }

  @Test(arguments: [
    (
      "{component: binary_sensor, device_class: doors}",
      #"no device_class "doors" of a binary_sensor; did you mean "door"?"#
    ),
    ("{component: binary_sensor, device_class: temperature}", #"no device_class "temperature" of a binary_sensor"#),
    (
      "{device_class: temperature, state_class: measurment}",
      #"no state_class "measurment"; did you mean "measurement"?"#
    ),
    ("{category: config}", "refuses category: config of a sensor"),
    ("{device_class: enum, state_class: measurement}", "of a sensor with device_class: enum"),
    ("{component: sensor, options: [a]}", "refuses options of a sensor without device_class: enum"),
    ("{device_class: enum, options: [a]}", nil),
    ("{device_class: temperature, state_class: measurement, category: diagnostic}", nil),
  ])
  func `are warned of where Home Assistant would refuse the entity`(entity: String, warning: String?) throws {
    let configuration = try TestGraph.configuration(
      """
      signalbox: 1
      server: {connections: {home: {mqtt: 'mqtt://a', discovery: homeassistant}}}
      graphs: {g: {signals: {s: {value: 1, hold: true, entity: \(entity)}}}}
      """)
    #expect(configuration.warnings.list.count == (warning == nil ? 0 : 1))
    #expect(
      configuration.warnings.list.first.map { $0.text.contains(warning ?? "") } ?? true, "\(configuration.warnings)")
  }

  @Test(arguments: ["+", "a/#", "a\\u0000b"])
  func `never go where a value puts a wildcard`(room: String) throws {
    #expect(
      try Self.report(
        "{mqtt: {connection: home, topic: '\"rooms/\\(.)\"'}}",
        #"script: [{at: 0s, send: {raw: "\#(room)"}}, {at: 1s, send: {raw: b}}, {at: 1s, expect: {raw.published: {connection: home, topic: rooms/b, payload: b}}}]"#
      ) == "")
  }

  @Test func `end with their signal`() throws {
    #expect(
      try Self.report(
        "{mqtt: {connection: home, topic: t}}",
        """
        given: {raw: '1-|'},
        expect: {raw.published: 'a-|'},
        values: {a: {connection: home, topic: t, payload: 1}}
        """) == "")
  }
}
