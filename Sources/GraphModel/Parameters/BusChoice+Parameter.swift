import Base

extension BusChoice: ParameterValue {
  package static var typeName: String { "system, session, or a D-Bus address" }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { text }
  package var needs: [OutsideNeed] { [.bus(self)] }

  /// Its form in a file.
  var text: String {
    switch self {
    case .system: "system"
    case .session: "session"
    case .address(let address): address
    }
  }

  /// Its form in a sentence.
  package var inWords: String {
    switch self {
    case .system: "the system bus"
    case .session: "the session bus"
    case .address(let address): "the bus at \(address)"
    }
  }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> BusChoice? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    switch text {
    case "system": return .system
    case "session": return .session
    default:
      if reader.isOpen || isAddress(text) { return .address(text) }
      reader.refuse(
        expected: "system, session, or an address such as unix:path=/run/other/bus",
        suggestion: Suggestion.likely(for: text, among: ["system", "session"]))
      return nil
    }
  }

  /// Returns true if each part of a text is a transport, a colon and `key=value` pairs: "Server Addresses" in the D-Bus
  /// Specification.
  private static func isAddress(_ text: String) -> Bool {
    text.split(separator: ";", omittingEmptySubsequences: false).allSatisfy { part in
      guard let colon = part.firstIndex(of: ":"), colon != part.startIndex else { return false }
      let pairs = part[part.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
      return pairs.allSatisfy { pair in pair.firstIndex(of: "=").map { $0 != pair.startIndex } ?? false }
    }
  }
}

extension BusBytes: WordParameter {}
