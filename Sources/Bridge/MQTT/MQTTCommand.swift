internal import JSON

/// A topic on which Home Assistant sets the value of a signal, or calls an action.
struct MQTTCommand: Equatable {
  /// The signal or the action.
  let target: String
  let isCall: Bool
  let filter: String
  private let component: String
  private let settings: JSONObject

  /// The payload of a button.
  static let press = "PRESS"

  /// - Parameter settings: The settings of the entity.
  /// - Returns: `nil` for an entity that only shows values.
  init?(filter: String, component: String, _ settings: JSONObject) {
    guard let target = settings.string("signal") ?? settings.string("action") else { return nil }
    self.target = target
    isCall = settings.string("signal") == nil
    self.filter = filter
    self.component = component
    self.settings = settings
  }

  /// Returns the value for the target; `nil` for a payload that the entity cannot send.
  func value(of payload: [UInt8]) -> JSONValue? {
    guard let text = String(validating: payload, as: UTF8.self) else { return nil }
    switch component {
    case "switch": return text == "true" ? true : text == "false" ? false : nil
    case "number": return number(payload).map { .number($0) }
    case "select":
      guard case .array(let options)? = settings["options"]?.plain, options.contains(where: { $0.text == text }) else {
        return nil
      }
      return .string(text)
    case "button":
      guard text == Self.press else { return nil }
      return settings["press"] ?? (isCall ? .null : true)
    default: return .string(text)
    }
  }

  private func number(_ payload: [UInt8]) -> Double? {
    guard case .number(let number)? = try? JSONParser.value(onThisThread: payload.span).plain else { return nil }
    if let least = settings.double("min"), number < least { return nil }
    if let most = settings.double("max"), number > most { return nil }
    return settings.flag("integer") && number.rounded() != number ? nil : number
  }

  static func == (one: MQTTCommand, other: MQTTCommand) -> Bool {
    one.target == other.target && one.isCall == other.isCall && one.filter == other.filter
      && one.component == other.component
      && JSONValue.object(one.settings).description == JSONValue.object(other.settings).description
  }
}
