import JSON

/// The settings of a connection that another adapter makes, which names its kind.
enum AdapterConnection: PeerSettingsReader {
  static let keys = ["settings", "window", "limit"]

  private static let defaultLimit = 1 << 20
  private static let greatestLimit = 64 << 20

  static func read(_ name: Reader?, _ mapping: MappingReader) -> PeerSettings? {
    let errors = mapping.problems.errorCount
    var settings = PeerSettings(values: [:])
    if let name { settings.kind = kind(name) }
    if let given = mapping.optional("settings") {
      if let read = AdapterSettings.read(given, reserved: keys) { settings.values = read.members }
      settings.secrets = AdapterSettings.secrets(in: given)
    }
    settings.values["window"] = .number(Double(mapping.optional("window")?.int(in: 1...4_096) ?? 64))
    let limit = mapping.optional("limit")?.size(in: 1...greatestLimit) ?? defaultLimit
    settings.values["limit"] = .number(Double(limit))
    return mapping.problems.errorCount == errors ? settings : nil
  }

  private static func kind(_ reader: Reader) -> PeerKind? {
    guard let text = reader.text(), !reader.isOpen else { return nil }
    let kind = PeerKind(rawValue: text)
    if PeerKind.bundled.contains(kind) {
      reader.problems.error("signalbox-bridge serves the kind \(text): write {\(text): ADDRESS}", at: reader)
      return nil
    }
    let letters = text.utf8.allSatisfy { $0.isLowercaseOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    guard letters, 1...32 ~= text.utf8.count, kind != .adapter else {
      reader.problems.error(
        "expected the kind that an adapter serves: up to 32 lowercase letters, digits, - and _, as in modbus",
        at: reader)
      return nil
    }
    return kind
  }
}

extension UInt8 {
  fileprivate var isLowercaseOrDigit: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
  }
}
