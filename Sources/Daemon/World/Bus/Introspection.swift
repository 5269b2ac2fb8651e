/// What an object says of itself, in the XML that D-Bus has for it.
///
/// This reads the elements and their attributes and nothing else of XML: who writes it means to be read.
struct Introspection {
  struct Property: Equatable {
    let name: String
    let signature: String
    var announcement: Announcement
  }

  /// How a change of a property is announced (`EmitsChangedSignal`).
  enum Announcement: String {
    case withValue = "true"
    case withoutValue = "invalidates"
    case constant = "const"
    case never = "false"
  }

  private let text: String

  init(_ text: String) { self.text = text }

  /// The properties of an interface.
  func properties(of interface: String) -> [Property] {
    var properties: [Property] = []
    var isInInterface = false
    var isInMember = false
    var standard = Announcement.withValue
    var chosen: Set<String> = []
    var scanner = ElementScanner(text)
    while let element = scanner.next() {
      switch element.name {
      case "interface": isInInterface = element["name"] == interface
      case "/interface": isInInterface = false
      case "method", "signal": isInMember = isInInterface && !element.isEmpty
      case "/method", "/signal", "/property": isInMember = false
      case "property" where isInInterface:
        guard let name = element["name"], let type = element["type"] else { continue }
        properties.append(Property(name: name, signature: type, announcement: .withValue))
        isInMember = !element.isEmpty
      case "annotation" where isInInterface:
        guard element["name"] == "org.freedesktop.DBus.Property.EmitsChangedSignal",
          let announcement = element["value"].flatMap(Announcement.init)
        else { continue }
        if !isInMember {
          standard = announcement
        } else if let last = properties.indices.last {
          properties[last].announcement = announcement
          chosen.insert(properties[last].name)
        }
      default: break
      }
    }
    return properties.map { property in
      var property = property
      if !chosen.contains(property.name) { property.announcement = standard }
      return property
    }
  }
}

/// Finds one element of XML after another.
private struct ElementScanner {
  struct Element {
    let name: String
    let attributes: [(String, String)]
    /// Whether it ends where it begins.
    let isEmpty: Bool

    subscript(name: String) -> String? { attributes.first { $0.0 == name }?.1 }
  }

  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  mutating func next() -> Element? {
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: start)...]
      guard let first = rest.first else { return nil }
      // Declarations, comments and the like.
      if first == UInt8(ascii: "!") || first == UInt8(ascii: "?") { continue }
      return element()
    }
    return nil
  }

  private mutating func element() -> Element {
    let name = word()
    var attributes: [(String, String)] = []
    while true {
      skipSpace()
      guard let byte = rest.first, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else { break }
      let name = word()
      skipSpace()
      guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { break }
      skipSpace()
      guard let quote = rest.popFirst(), let end = rest.firstIndex(of: quote) else { break }
      attributes.append((name, Substring(rest[..<end]).description))
      rest = rest[rest.index(after: end)...]
    }
    return Element(name: name, attributes: attributes, isEmpty: rest.first == UInt8(ascii: "/"))
  }

  private mutating func word() -> String {
    let end = rest.dropFirst().firstIndex { " \t\r\n=/>".utf8.contains($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    return Substring(rest[..<end]).description
  }

  private mutating func skipSpace() {
    while let byte = rest.first, " \t\r\n".utf8.contains(byte) { rest.removeFirst() }
  }
}
