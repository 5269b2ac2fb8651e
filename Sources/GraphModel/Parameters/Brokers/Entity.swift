package import JSON

/// The kinds of entities in Home Assistant that a signal can be.
package enum EntityComponent: String, CaseIterable, Sendable {
  case sensor
  case binarySensor = "binary_sensor"
  case toggle = "switch"
  case number, select, text, button

  /// True if it is operated from there, so that values are sent to the signal.
  var isControlled: Bool {
    switch self {
    case .sensor, .binarySensor: false
    case .toggle, .number, .select, .text, .button: true
    }
  }

  /// Returns the component that shows and sets a value of a type; `nil` if the type does not say which.
  init?(controlling type: DeclaredType) {
    switch type.word {
    case .boolean: self = .toggle
    case .integer, .number: self = .number
    case .string: self = type.choices.isEmpty ? .text : .select
    case .object, .array, .any: return nil
    }
  }

  /// Returns true if the values that it sends can be of a type.
  func sends(_ type: ValueType) -> Bool {
    switch (self, type) {
    case (_, .any), (.toggle, .boolean), (.number, .number), (.number, .integer), (.text, .string),
      (.select, .string), (.button, _):
      true
    default: false
    }
  }

  /// The keys beside those that every entity has.
  fileprivate var keys: [String] {
    switch self {
    case .sensor: ["unit", "state_class", "options"]
    case .binarySensor, .toggle: ["on", "off"]
    case .number: ["unit", "min", "max", "step"]
    case .select: ["options"]
    case .text: []
    case .button: ["press"]
    }
  }
}

/// The entity that a published signal is to Home Assistant: a component alone, or `{component, name, …}`.
package struct Entity: ParameterValue {
  /// The component; `nil` to choose it by the signal's type.
  package let component: EntityComponent?
  /// The other keys, for the adapter.
  package let settings: JSONObject
  /// The place of the declaration, for messages.
  package let extent: Extent

  package static var typeName: String { "a component of Home Assistant, or {component, name, …}" }
  package static var shape: ParameterShape { .entity }
  package var defaultText: String? { nil }

  package static let texts = ["name", "device_class", "icon", "category", "unit", "state_class", "on", "off"]
  package static let numbers = ["min", "max", "step"]

  private static let keys = ["component"] + texts + numbers + ["options", "press"]

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Entity? {
    let reader = reading.reader(node)
    guard node.entries != nil else {
      return reader.choice(of: EntityComponent.self).map { Entity(component: $0, settings: [:], extent: Extent(node)) }
    }
    guard let mapping = reader.mapping(of: keys) else { return nil }
    let errors = reader.problems.errorCount
    let component: EntityComponent? = mapping.optional("component")?.choice()
    var settings = JSONObject()
    for key in texts {
      if let text = mapping.optional(key)?.text() { settings[key] = .string(text) }
    }
    for key in numbers {
      if let number = mapping.optional(key)?.number() { settings[key] = .number(number) }
    }
    if let options = mapping.optional("options")?.textList() {
      settings["options"] = .array(options.map { .string($0) })
    }
    if let press = mapping.optional("press") { settings["press"] = press.value() }
    check(settings, of: component, mapping)
    return reader.problems.errorCount == errors
      ? Entity(component: component, settings: settings, extent: Extent(node)) : nil
  }

  /// Reports keys that do not go with the component, and values out of their ranges.
  private static func check(_ settings: JSONObject, of component: EntityComponent?, _ mapping: MappingReader) {
    let problems = mapping.problems
    for key in ["unit", "state_class", "on", "off", "options", "press"] + numbers {
      guard let component, let entry = mapping.entry(key), !component.keys.contains(key) else { continue }
      problems.error("a \(component.rawValue) has no \"\(key)\"", at: entry.key)
    }
    if case .number(let step)? = settings["step"]?.plain, let entry = mapping.entry("step"), step < 0.001 {
      problems.error("step has to be at least 0.001", at: entry.value)
    }
    if case .number(let least)? = settings["min"]?.plain, case .number(let most)? = settings["max"]?.plain,
      least >= most, let entry = mapping.entry("max")
    {
      problems.error("max has to be greater than min", at: entry.value)
    }
    if let entry = mapping.entry("category"), case .string(let text)? = settings["category"]?.plain,
      !["config", "diagnostic"].contains(text)
    {
      problems.error("category has to be config or diagnostic", at: entry.value)
    }
  }

  /// Reports bounds that let values be entered which the type excludes.
  private func checkBounds(in type: DeclaredType, _ problems: Problems) {
    if case .number(let least)? = settings["min"]?.plain, let minimum = type.minimum, least < minimum {
      problems.error(
        "min is \(JSONValue.number(least).description), and the type allows no less than \(JSONValue.number(minimum).description)",
        at: extent)
    }
    if case .number(let most)? = settings["max"]?.plain, let maximum = type.maximum, most > maximum {
      problems.error(
        "max is \(JSONValue.number(most).description), and the type allows no more than \(JSONValue.number(maximum).description)",
        at: extent)
    }
  }

  /// Reports an initial value that Home Assistant refuses to show.
  private static func check(
    _ initial: JSONValue, of component: EntityComponent, _ settings: JSONObject, _ extent: Extent, _ problems: Problems
  ) {
    switch (component, initial.plain) {
    case (.select, .string(let text)):
      guard case .array(let options)? = settings["options"]?.plain, !options.contains(initial) else { return }
      let known = options.map(\.description).joined(separator: ", ")
      problems.error("\(JSONValue.string(text).description) is the initial value, but no option: \(known)", at: extent)
    case (.number, .number(let number)):
      if case .number(let least)? = settings["min"]?.plain, number < least {
        problems.error("the initial value is less than min, \(JSONValue.number(least).description)", at: extent)
      }
      if case .number(let most)? = settings["max"]?.plain, number > most {
        problems.error("the initial value is greater than max, \(JSONValue.number(most).description)", at: extent)
      }
    default: break
    }
  }

  /// Returns the settings for the adapter; `nil` for a signal that is announced as a plain sensor.
  ///
  /// - Parameter entity: The declared entity, if there is one.
  package static func settings(_ entity: Entity?, of signal: SignalDeclaration, _ problems: Problems) -> JSONObject? {
    let type = signal.body.source.acceptedType
    let inferred = type.flatMap { EntityComponent(controlling: $0) }
    let isEnumeration = entity?.settings["device_class"]?.description == "\"enum\""
    let options = isEnumeration || entity?.settings["options"] == nil ? nil : EntityComponent.select
    let press = entity?.settings["press"] == nil ? nil : EntityComponent.button
    let component = entity?.component ?? options ?? press ?? inferred ?? .sensor
    var settings = entity?.settings ?? [:]
    settings["component"] = .string(component.rawValue)
    if component == .sensor || component == .number, settings["unit"] == nil, let unit = signal.traits.unit {
      settings["unit"] = .string(unit)
    }
    if component == .sensor, entity == nil, settings["unit"] == nil { return nil }
    if let entity { EntityAdvice(component: component, settings: settings).report(at: entity.extent, problems) }
    guard component.isControlled else { return settings }
    settings["signal"] = .string(signal.name)
    if let type, component.sends(type.word) {
      if type.word == .integer { settings["integer"] = true }
      if component == .number {
        if let entity { entity.checkBounds(in: type, problems) }
        if let entity, type.word == .integer, case .number(let step)? = settings["step"]?.plain, step != step.rounded()
        {
          problems.error("step has to be a whole number, as the type is integer", at: entity.extent)
        }
        settings["min"] = settings["min"] ?? type.minimum.map { .number($0) }
        settings["max"] = settings["max"] ?? type.maximum.map { .number($0) }
        if case .number(let least)? = settings["min"]?.plain, case .number(let most)? = settings["max"]?.plain,
          least >= most, let entity
        {
          problems.error(
            "max has to be greater than min; the bound that is missing here is that of the type", at: entity.extent)
        }
      }
      if component == .select, settings["options"] == nil {
        if type.choices.isEmpty || type.choices.contains(where: { $0.type != .string }), let entity {
          problems.error(
            "missing \"options\": a select needs its options, as in {component: select, options: [a, b]}",
            at: entity.extent)
        }
        settings["options"] = .array(type.choices)
      }
      if let entity, let initial = signal.body.source.initialValue {
        check(initial, of: component, settings, entity.extent, problems)
      }
      return settings
    }
    if let entity {
      let reason = type.map { "this one takes \($0.withArticle)" } ?? "this one takes no values"
      problems.error(
        "a \(component.rawValue) sends values to an input or a property, and \(reason)", at: entity.extent)
    }
    return nil
  }
}
