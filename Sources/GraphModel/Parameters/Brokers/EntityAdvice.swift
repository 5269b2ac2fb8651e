import Base
import JSON

/// Advice on entities that Home Assistant refuses or cannot read.
///
/// Newer versions of it know more words than these, so that all of it is warnings. Source: its documentation of device
/// classes and of MQTT discovery.
struct EntityAdvice {
  let component: EntityComponent
  let settings: JSONObject

  private static let measured = """
    absolute_humidity apparent_power aqi area atmospheric_pressure battery blood_glucose_concentration carbon_dioxide \
    carbon_monoxide conductivity current data_rate data_size distance duration energy energy_distance energy_storage frequency \
    gas humidity illuminance irradiance moisture monetary nitrogen_dioxide nitrogen_monoxide nitrous_oxide ozone ph pm1 pm10 \
    pm25 pm4 power power_factor precipitation precipitation_intensity pressure reactive_energy reactive_power signal_strength \
    sound_pressure speed sulphur_dioxide temperature temperature_delta volatile_organic_compounds \
    volatile_organic_compounds_parts voltage volume volume_flow_rate volume_storage water weight wind_direction wind_speed
    """
  private static let states = """
    battery battery_charging carbon_monoxide cold connectivity door garage_door gas heat light lock moisture motion moving \
    occupancy opening plug power presence problem running safety smoke sound tamper update vibration window
    """
  private static let stateClasses = ["measurement", "measurement_angle", "total", "total_increasing"]

  private var deviceClasses: [String] {
    let words =
      switch component {
      case .sensor: Self.measured + " date enum timestamp"
      case .number: Self.measured
      case .binarySensor: Self.states
      case .toggle: "outlet switch"
      case .button: "identify restart update"
      case .select, .text: ""
      }
    return words.split(separator: " ").map(String.init)
  }

  func report(at place: Extent, _ problems: Problems) {
    let name = component.rawValue
    if let text = text("device_class"), !deviceClasses.contains(text) {
      problems.warning(
        "Home Assistant knows no device_class \"\(text)\" of a \(name)", at: place,
        suggestion: Suggestion.likely(for: text, among: deviceClasses))
    }
    if let text = text("state_class"), !Self.stateClasses.contains(text) {
      problems.warning(
        "Home Assistant knows no state_class \"\(text)\"", at: place,
        suggestion: Suggestion.likely(for: text, among: Self.stateClasses))
    }
    if !component.isControlled, text("category") == "config" {
      problems.warning(
        "Home Assistant refuses category: config of a \(name), which is not operated; use diagnostic", at: place)
    }
    guard component == .sensor else { return }
    let isEnumeration = text("device_class") == "enum"
    if isEnumeration, settings["state_class"] != nil || settings["unit"] != nil {
      problems.warning("Home Assistant refuses a unit or a state_class of a sensor with device_class: enum", at: place)
    }
    if !isEnumeration, settings["options"] != nil {
      problems.warning("Home Assistant refuses options of a sensor without device_class: enum", at: place)
    }
  }

  private func text(_ key: String) -> String? {
    if case .string(let text)? = settings[key]?.plain { text } else { nil }
  }
}
