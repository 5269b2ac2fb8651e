import Base
import JSON
import Testing

@testable import Bridge

/// The announcements to Home Assistant, checked against its documentation of MQTT discovery.
@Suite struct `Discovery for Home Assistant` {
  /// The variables that all components have in the documentation.
  private static let common: Set<String> = [
    "availability", "availability_mode", "availability_template", "availability_topic", "default_entity_id", "device",
    "enabled_by_default", "encoding", "entity_category", "entity_picture", "icon", "json_attributes_template",
    "json_attributes_topic", "name", "origin", "platform", "qos", "unique_id",
  ]
  /// The other variables of each component, as its page has them.
  private static let variables: [String: Set<String>] = [
    "sensor": [
      "device_class", "expire_after", "force_update", "last_reset_value_template", "options", "state_class",
      "state_topic", "suggested_display_precision", "unit_of_measurement", "value_template",
    ],
    "binary_sensor": [
      "device_class", "expire_after", "force_update", "off_delay", "payload_off", "payload_on", "state_topic",
      "value_template",
    ],
    "switch": [
      "command_template", "command_topic", "device_class", "optimistic", "payload_off", "payload_on", "retain",
      "state_off", "state_on", "state_topic", "value_template",
    ],
    "number": [
      "command_template", "command_topic", "device_class", "max", "min", "mode", "optimistic", "payload_reset",
      "retain", "state_topic", "step", "unit_of_measurement", "value_template",
    ],
    "select": [
      "command_template", "command_topic", "optimistic", "options", "retain", "state_topic", "value_template",
    ],
    "text": [
      "command_template", "command_topic", "max", "min", "mode", "pattern", "retain", "state_topic", "value_template",
    ],
    "button": ["command_template", "command_topic", "device_class", "payload_press", "retain"],
  ]
  /// The variables that each component cannot do without.
  private static let required: [String: Set<String>] = [
    "sensor": ["state_topic"], "binary_sensor": ["state_topic"], "switch": ["command_topic"],
    "number": ["command_topic"], "select": ["command_topic", "options"], "text": ["command_topic"],
    "button": ["command_topic"],
  ]
  private static let availability: Set<String> = [
    "payload_available", "payload_not_available", "topic", "value_template",
  ]
  private static let device: Set<String> = [
    "configuration_url", "connections", "hw_version", "identifiers", "manufacturer", "model", "model_id", "name",
    "serial_number", "suggested_area", "sw_version", "via_device",
  ]
  private static let origin: Set<String> = ["name", "support_url", "sw_version"]
  private static func settings(node: String = "box", inventory: String) -> MQTTSettings.Discovery {
    MQTTSettings.Discovery(
      prefix: "homeassistant", node: node, availability: "\(node)/availability", inventory: inventory)
  }
  private static let settings = settings(inventory: inventory)
  private static let inventory = "box/announced/me"

  private static func declaration(
    _ signal: String, topic: String = "home/x", entity: String? = nil, retain: Bool? = nil, state: String? = nil
  ) throws -> SignalDeclaration {
    let more = entity.map { ",\"entity\":\($0)" } ?? retain.map { ",\"retain\":\($0)" } ?? ""
    let state = state.map { ",\"state\":\"\($0)\"" } ?? ""
    let text = """
      {"signal":"\(signal)","role":"sink","kind":"mqtt","connection":"home","settings":{"topic":"\(topic)"\(more)}\(state)}
      """
    guard case .object(let object) = try JSONParser.value(onThisThread: Array(text.utf8).span) else {
      throw TaskFailure("bad_request", "no object")
    }
    return try #require(SignalDeclaration(object))
  }

  private static func config(_ signal: String = "g.s.published", entity: String?) throws -> (String, JSONObject) {
    let entity = try #require(DiscoveredEntity(declaration(signal, entity: entity), settings))
    guard case .object(let config) = entity.config(settings, offline: "offline") else { return ("", [:]) }
    return (entity.topic, config)
  }

  private static func keys(_ object: JSONObject?) -> Set<String> { Set(object?.members.map(\.key) ?? []) }

  @Test(arguments: [
    nil, #"{"component":"sensor","unit":"°C","device_class":"temperature","state_class":"measurement"}"#,
    #"{"component":"binary_sensor","icon":"mdi:door","category":"diagnostic"}"#,
    #"{"component":"switch","signal":"g.s","name":"Alarm","on":"on","off":"off"}"#,
    #"{"component":"number","signal":"g.s","min":0,"max":30,"step":0.5,"unit":"°C"}"#,
    #"{"component":"number","signal":"g.s","integer":true}"#,
    #"{"component":"select","signal":"g.s","options":["off","eco"]}"#, #"{"component":"text","signal":"g.s"}"#,
    #"{"component":"button","signal":"g.s","device_class":"restart"}"#,
  ])
  func `has the variables of the documentation, the required ones and no others`(entity: String?) throws {
    let (topic, config) = try Self.config(entity: entity)
    let component = try #require(topic.split(separator: "/").dropFirst().first.map(String.init))
    #expect(topic == "homeassistant/\(component)/box/g__s/config")
    let allowed = try #require(Self.variables[component]).union(Self.common)
    #expect(Self.keys(config).subtracting(allowed) == [])
    #expect(try #require(Self.required[component]).subtracting(Self.keys(config)) == [])
    #expect(Self.keys(config.nested("device")).subtracting(Self.device) == [])
    #expect(Self.keys(config.nested("device")).isSuperset(of: ["name", "model", "sw_version", "identifiers"]))
    #expect(Self.keys(config.nested("origin")).subtracting(Self.origin) == [])
    #expect(config.nested("origin")?.string("name") == "signalbox")
    guard case .array(let topics)? = config["availability"]?.plain, case .object(let topic)? = topics.first else {
      Issue.record("no list of topics")
      return
    }
    #expect(Self.keys(topic).subtracting(Self.availability) == [])
    #expect(config.string("unique_id") == "box.g.s")
    #expect(config.string("default_entity_id") == "\(component).box_g_s")
  }

  @Test func `distinguishes names that differ only in a dot or an underscore, and publications of one signal`() throws {
    let names = [
      "a.b.published", "a_b.published", "a.b_.published", "a.b.published.2", "a._b.published", "a_.b.published",
    ]
    let configs = try names.map { try Self.config($0, entity: nil) }
    #expect(Set(configs.map(\.0)).count == names.count)
    #expect(Set(configs.map { $0.1.string("unique_id") }).count == names.count)
    for topic in configs.map(\.0) {
      #expect(topic.allSatisfy { $0.isLetter || $0.isNumber || "_-/".contains($0) })
    }
  }

  @Test(arguments: [
    ("switch", "{}", "true", "true"), ("switch", "{}", "false", "false"), ("switch", "{}", "ON", nil),
    ("number", #"{"min":0,"max":30}"#, "21.5", "21.5"), ("number", #"{"min":0,"max":30}"#, "31", nil),
    ("number", #"{"integer":true}"#, "1.5", nil), ("number", "{}", "a", nil), ("number", "{}", "", nil),
    ("select", #"{"options":["eco","off"]}"#, "eco", "\"eco\""), ("select", #"{"options":["eco"]}"#, "x", nil),
    ("text", "{}", "a \"b\"", #""a \"b\"""#), ("button", "{}", "PRESS", "true"),
    ("button", #"{"press":{"reset":1}}"#, "PRESS", #"{"reset":1}"#), ("button", "{}", "x", nil),
  ])
  func `makes values of commands, and none of what the entity cannot send`(
    component: String, settings: String, payload: String, expected: String?
  ) throws {
    guard case .object(let object) = try JSONParser.value(onThisThread: Array(settings.utf8).span) else { return }
    var settings = object
    settings["signal"] = "g.s"
    let command = try #require(MQTTCommand(filter: "box/g__s/set", component: component, settings))
    #expect(command.value(of: Array(payload.utf8))?.description == expected)
  }

  @Test func `has the last state of each entity for a broker that has lost it`() throws {
    var discovery = MQTTDiscovery(Self.settings)
    _ = discovery.note([try Self.declaration("g.s.published", topic: "home/s")], offline: "offline")
    for (topic, isRetained) in [("home/s", true), ("home/other", true), ("home/s", false)] {
      discovery.note(MQTTMessage(topic: topic, payload: Array("\(topic) \(isRetained)".utf8), isRetained: isRetained))
    }
    #expect(discovery.announcements.map(\.topic) == [Self.inventory, "homeassistant/sensor/box/g__s/config"])
    #expect(discovery.presentStates.map(\.topic) == ["home/s"])
    #expect(discovery.presentStates.last?.payload == Array("home/s true".utf8))
    #expect(
      discovery.note([], offline: "offline")
        == [.forgetting("homeassistant/sensor/box/g__s/config"), .forgetting(Self.inventory)])
    #expect(discovery.announcements == [.forgetting(Self.inventory)])
    #expect(discovery.presentStates == [])
  }

  @Test func `begins with the states that the daemon tells, until it has published others`() throws {
    var discovery = MQTTDiscovery(Self.settings)
    let present = try Self.declaration("g.s.published", topic: "home/s", retain: true, state: "on")
    _ = discovery.note([present], offline: "offline")
    #expect(
      discovery.presentStates == [MQTTMessage(topic: "home/s", payload: Array("on".utf8), qos: 1, isRetained: true)])
    let newer = MQTTMessage(topic: "home/s", payload: Array("off".utf8), qos: 1, isRetained: true)
    discovery.note(newer)
    _ = discovery.note([present], offline: "offline")
    #expect(discovery.presentStates == [newer])
    let fleeting = try Self.declaration("g.t.published", topic: "home/t", retain: false, state: "on")
    _ = discovery.note([fleeting], offline: "offline")
    #expect(discovery.presentStates == [])
  }

  @Test func `takes over what a client with another name has announced, and its states`() throws {
    var former = MQTTDiscovery(Self.settings)
    _ = former.note(
      [try Self.declaration("g.s.published", topic: "box/g__s/state", retain: true, state: "on")], offline: "offline")
    var next = MQTTDiscovery(Self.settings(inventory: "box/announced/you"))
    #expect(next.replace(former).map(\.text) == [Self.inventory])
    #expect(next.presentStates.map(\.topic) == ["box/g__s/state"])
    #expect(next.announcements.map(\.topic) == ["box/announced/you", "homeassistant/sensor/box/g__s/config"])
    #expect(next.awaitedInventory == "box/announced/you")

    var elsewhere = MQTTDiscovery(Self.settings(node: "attic", inventory: "attic/announced/me"))
    #expect(
      Set(elsewhere.replace(former).map(\.text)) == [
        "homeassistant/sensor/box/g__s/config", "box/g__s/state", Self.inventory, "box/availability",
      ])
    #expect(elsewhere.presentStates == [])
  }

  @Test func `announces actions as buttons that call them`() throws {
    let (topic, config) = try Self.config(
      "g.open.action.published", entity: #"{"component":"button","action":"g.open","name":"g.open"}"#)
    #expect(topic == "homeassistant/button/box/g__open__action/config")
    #expect(config.string("command_topic") == "box/g__open__action/set")
    #expect(config.string("name") == "g.open")
    #expect(config["state_topic"] == nil)
    let command = try #require(MQTTCommand(filter: "f", component: "button", ["action": "g.open"]))
    #expect(command.isCall)
    #expect(command.value(of: Array("PRESS".utf8))?.description == "null")
  }

  @Test func `announces what is new, and removes what is gone, under the topic of its component`() throws {
    var discovery = MQTTDiscovery(Self.settings)
    let toggle = #"{"component":"switch","signal":"g.s"}"#
    let first = discovery.note([try Self.declaration("g.s.published", entity: toggle)], offline: "offline")
    #expect(first.map(\.topic) == [Self.inventory, "homeassistant/switch/box/g__s/config"])
    #expect(discovery.commands.map(\.filter) == ["box/g__s/set"])
    #expect(discovery.note([try Self.declaration("g.s.published", entity: toggle)], offline: "offline") == [])
    let second = discovery.note([try Self.declaration("g.s.published")], offline: "offline")
    #expect(
      second.map(\.topic)
        == ["homeassistant/switch/box/g__s/config", Self.inventory, "homeassistant/sensor/box/g__s/config"])
    #expect(second.map { $0.payload.isEmpty } == [true, false, false])
    #expect(second.allSatisfy { $0.isRetained })
    #expect(discovery.commands == [])
  }

  @Test(arguments: [("box/g__s/state", true), ("home/x", false)])
  func `removes a state with its entity, unless its topic is one that the configuration names`(
    topic: String, isOwn: Bool
  ) throws {
    var discovery = MQTTDiscovery(Self.settings)
    let toggle = #"{"component":"switch","signal":"g.s"}"#
    _ = discovery.note([try Self.declaration("g.s.published", topic: topic, entity: toggle)], offline: "offline")
    // As another component it has the same state.
    let other = discovery.note([try Self.declaration("g.s.published", topic: topic)], offline: "offline")
    #expect(!other.map(\.topic).contains(topic))
    let gone = discovery.note([], offline: "offline")
    #expect(
      gone.map(\.topic) == ["homeassistant/sensor/box/g__s/config"] + (isOwn ? [topic] : []) + [Self.inventory])
    #expect(gone.allSatisfy { $0.payload.isEmpty && $0.isRetained })
  }

  @Test func `removes what a process before it has announced, once the broker has sent its inventory`() throws {
    let toggle = #"{"component":"switch","signal":"g.s"}"#
    func announced(_ signals: [String]) throws -> (MQTTDiscovery, [MQTTMessage]) {
      var discovery = MQTTDiscovery(Self.settings)
      let declarations = try signals.map { name in
        let plain = DiscoveredEntity.plain("g.\(name)")
        return try Self.declaration("g.\(name).published", topic: "box/\(plain)/state", entity: toggle)
      }
      let messages = discovery.note(declarations, offline: "offline")
      return (discovery, messages)
    }
    let (_, messages) = try announced(["a", "b"])
    let inventory = try #require(messages.first { $0.topic == Self.inventory })
    var (next, _) = try announced(["b", "c"])
    #expect(next.awaitedInventory == Self.inventory)
    // A session may have kept an older one, which comes first.
    #expect(next.note(inventory: Array("{}".utf8)) == [])
    #expect(
      next.note(inventory: inventory.payload)
        == [.forgetting("homeassistant/switch/box/g__a/config"), .forgetting("box/g__a/state")])
    #expect(next.awaitedInventory == nil)
  }

  @Test(arguments: [
    "", "no list", "[]", #"{"zigbee2mqtt/lamp":null}"#, #"{"homeassistant/switch/other/g__s/config":null}"#,
    #"{"homeassistant/switch/box/g__s/config":"x"}"#,
  ])
  func `an inventory that is none removes nothing, and what is announced stays`(payload: String) throws {
    var discovery = MQTTDiscovery(Self.settings)
    _ = discovery.note(
      [try Self.declaration("g.s.published", entity: #"{"component":"switch","signal":"g.s"}"#)], offline: "offline")
    #expect(discovery.note(inventory: Array(payload.utf8)) == [])
  }
}
