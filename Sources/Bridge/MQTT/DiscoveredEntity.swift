internal import JSON
internal import WireProtocol

/// An entity of Home Assistant: a signal that is published on a fixed topic, and operated from there if it takes values, or
/// an action as a button.
struct DiscoveredEntity {
  /// The topic of its announcement.
  let topic: String
  /// The way to operate it; `nil` for an entity that only shows values.
  let command: MQTTCommand?
  /// The topic of its state, if that is one of signalbox's own, which ends with the entity.
  let ownState: String?
  private let component: String
  private let object: String
  private let name: String
  /// The topic of its state.
  let state: String
  /// The message that the topic of its state has at present, as the daemon says.
  let presentState: MQTTMessage?
  private let settings: JSONObject

  /// - Returns: `nil` for a signal without a fixed topic.
  init?(_ declaration: SignalDeclaration, _ discovery: MQTTSettings.Discovery) {
    guard declaration.role == .sink, let state = declaration.settings.string("topic") else { return nil }
    let signal = Self.signal(of: declaration.run.signal)
    self.state = state
    presentState = declaration.state.map { payload in
      MQTTMessage(
        topic: state, payload: Array(payload.utf8),
        qos: Int32(max(0, min(declaration.settings.integer("qos") ?? 1, 2))),
        isRetained: declaration.settings.flag("retain"))
    }
    settings = declaration.settings.nested("entity") ?? [:]
    let component = settings.string("component") ?? "sensor"
    self.component = component
    name = settings.string("name") ?? signal.name
    object = signal.name + (signal.number.map { ".\($0)" } ?? "")
    let plain = Self.plain(object)
    topic = "\(discovery.prefix)/\(component)/\(discovery.node)/\(plain)/config"
    ownState = state == "\(discovery.node)/\(plain)/state" ? state : nil
    command = MQTTCommand(filter: "\(discovery.node)/\(plain)/set", component: component, settings)
  }

  /// Returns the payload of its announcement.
  ///
  /// - Parameter offline: The payload of the will.
  func config(_ discovery: MQTTSettings.Discovery, offline: String) -> JSONValue {
    let id = "\(discovery.node).\(object)"
    let slug = id.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    var config: JSONObject = [
      "name": .string(name), "unique_id": .string(id), "default_entity_id": .string("\(component).\(String(slug))"),
      "availability": [
        [
          "topic": .string(discovery.availability), "payload_available": .string(MQTTSettings.online),
          "payload_not_available": .string(offline),
        ]
      ], "qos": 1,
      "device": [
        "identifiers": [.string(discovery.node)], "name": .string(discovery.node), "manufacturer": "signalbox",
        "model": "Signal graphs", "sw_version": .string(programVersion),
      ], "origin": ["name": "signalbox", "sw_version": .string(programVersion)],
    ]
    if component != "button" { config["state_topic"] = .string(state) }
    if let command { config["command_topic"] = .string(command.filter) }
    for (key, name) in [("device_class", "device_class"), ("icon", "icon"), ("category", "entity_category")] {
      config[name] = settings[key]
    }
    if Self.withUnknown.contains(component) { config["value_template"] = .string(Self.template) }
    for member in own.members { config[member.key] = member.value }
    return .object(config)
  }

  /// The components whose state may be unknown, and the template that says so of a null.
  private static let withUnknown: Set = ["sensor", "binary_sensor", "switch", "number", "select"]
  private static let template = "{{ 'None' if value == 'null' else value }}"

  /// The variables that only its component has.
  private var own: JSONObject {
    var own = JSONObject()
    switch component {
    case "binary_sensor":
      own["payload_on"] = settings["on"] ?? "true"
      own["payload_off"] = settings["off"] ?? "false"
    case "switch":
      own["payload_on"] = "true"
      own["payload_off"] = "false"
      own["state_on"] = settings["on"] ?? "true"
      own["state_off"] = settings["off"] ?? "false"
    case "number":
      own["min"] = settings["min"] ?? .number(min(-1_000_000, (settings.double("max") ?? 0) - 1_000_000))
      own["max"] = settings["max"] ?? .number(max(1_000_000, (settings.double("min") ?? 0) + 1_000_000))
      own["step"] = settings["step"] ?? (settings.flag("integer") ? 1 : 0.001)
      own["mode"] = settings["min"] == nil || settings["max"] == nil ? "box" : "auto"
      own["unit_of_measurement"] = settings["unit"]
    case "select": own["options"] = settings["options"]
    case "button": own["payload_press"] = .string(MQTTCommand.press)
    case "sensor":
      own["unit_of_measurement"] = settings["unit"]
      own["state_class"] = settings["state_class"]
      own["options"] = settings["options"]
    default: break
    }
    return own
  }

  /// Returns the name of the signal that publishes, and the number of a publication after its first.
  private static func signal(of published: String) -> (name: String, number: Int?) {
    var parts = published.split(separator: ".")
    var number: Int?
    if parts.count > 1, parts[parts.count - 2] == "published" { number = parts.popLast().flatMap { Int($0) } }
    return (parts.dropLast().joined(separator: "."), number)
  }

  /// Returns a name of letters, digits, `_` and `-` that is another one for each name: `a.b` is `a__b`, `a_b` is `a_-b`.
  static func plain(_ name: String) -> String {
    name.replacing("_", with: "_-").replacing(".", with: "__")
  }
}
