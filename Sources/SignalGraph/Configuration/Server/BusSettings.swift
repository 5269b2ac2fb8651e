/// The message bus on which the daemon is a service and signals with `dbus: true` are its objects.
package struct BusSettings: Sendable, Equatable {
  package var bus = BusChoice.system
  /// The name that the daemon owns there.
  package var name = "org.signalbox.Signalbox"

  package init() {}

  init(reading reader: MappingReader) {
    if let bus = reader.required("bus") { self.bus = Self.bus(bus) ?? self.bus }
    if let name = reader.optional("name") { self.name = Self.name(name) ?? self.name }
    reader.finish()
  }

  private static func bus(_ reader: Reader) -> BusChoice? {
    guard let text = reader.string() else { return nil }
    switch text {
    case "system": return .system
    case "session": return .session
    default:
      if text.hasPrefix("unix:") { return .address(text) }
      reader.problems.error(
        "expected system, session, or the address of a local bus, such as \"unix:path=/run/other/bus\"",
        at: reader)
      return nil
    }
  }

  private static func name(_ reader: Reader) -> String? {
    guard let name = reader.string() else { return nil }
    if isName(name) { return name }
    reader.problems.error(
      "\"\(name)\" is not a D-Bus service name: words of letters, digits, \"_\" and \"-\" that do not begin with a digit, "
        + "separated by dots, as in org.signalbox.Signalbox",
      at: reader)
    return nil
  }

  private static func isName(_ text: String) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return words.count > 1 && text.utf8.count <= 255 && words.allSatisfy(isWord)
  }

  private static func isWord(_ word: Substring.UTF8View) -> Bool {
    guard let first = word.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else { return false }
    return word.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }
}
