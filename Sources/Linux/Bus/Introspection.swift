/// The introspection data of an object, in D-Bus's XML format.
///
/// Supports only the XML that services generate for this purpose: elements and attributes.
package struct Introspection {
  package struct Interface {
    package let name: String
    package fileprivate(set) var properties: [Property] = []
    package fileprivate(set) var methods: [Member] = []
    package fileprivate(set) var signals: [Member] = []
  }

  package struct Property: Equatable {
    package let name: String
    package let signature: String
    package let isReadable: Bool
    package let isWritable: Bool
    package fileprivate(set) var announcement: Announcement
    fileprivate var hasOwnAnnouncement = false
  }

  /// A method or a signal.
  package struct Member {
    package let name: String
    /// The types of a method's arguments; empty for a signal.
    package fileprivate(set) var inputs: [String] = []
    /// The types of a method's results, or of a signal's arguments.
    package fileprivate(set) var outputs: [String] = []
  }

  /// The announcement of a property's changes (`EmitsChangedSignal`).
  package enum Announcement: String {
    case withValue = "true"
    case withoutValue = "invalidates"
    case constant = "const"
    case never = "false"
  }

  /// The interface for introspection, with the single method `Introspect`.
  package static let interface = "org.freedesktop.DBus.Introspectable"

  package let interfaces: [Interface]
  /// The last path components of the child objects.
  package let children: [String]

  package init(_ text: String) {
    var reading = IntrospectionReading()
    var scanner = ElementScanner(text)
    while let element = scanner.next() { reading.take(element) }
    reading.endInterface()
    (interfaces, children) = (reading.interfaces, reading.children)
  }

  package func interface(_ name: String) -> Interface? { interfaces.first { $0.name == name } }
}

/// The introspection data read so far.
private struct IntrospectionReading {
  private(set) var interfaces: [Introspection.Interface] = []
  private(set) var children: [String] = []
  /// The number of open nodes: those inside the first describe other objects.
  private var depth = 0
  private var interface: Introspection.Interface?
  private var standard = Introspection.Announcement.withValue
  /// The kind of the open member.
  private var member: String?

  mutating func take(_ element: ElementScanner.Element) {
    switch element.name {
    case "node":
      if depth == 1, let name = element["name"] { children.append(name) }
      if !element.isEmpty { depth += 1 }
    case "/node": depth -= 1
    case _ where depth > 1: break
    case "interface":
      endInterface()
      interface = element["name"].map { Introspection.Interface(name: $0) }
    case "/interface": endInterface()
    case "method", "signal", "property": begin(element)
    case "/method", "/signal", "/property": member = nil
    case "arg": argument(element)
    case "annotation": annotation(element)
    default: break
    }
  }

  private mutating func begin(_ element: ElementScanner.Element) {
    member = element.isEmpty ? nil : element.name
    guard let name = element["name"] else { return member = nil }
    switch element.name {
    case "method": interface?.methods.append(Introspection.Member(name: name))
    case "signal": interface?.signals.append(Introspection.Member(name: name))
    default:
      guard let type = element["type"] else { return member = nil }
      let access = element["access"] ?? "readwrite"
      interface?.properties.append(
        Introspection.Property(
          name: name, signature: type, isReadable: access != "write", isWritable: access != "read",
          announcement: .withValue))
    }
  }

  private mutating func argument(_ element: ElementScanner.Element) {
    guard var interface, let type = element["type"] else { return }
    switch member {
    case "method":
      guard let last = interface.methods.indices.last else { return }
      if element["direction"] == "out" {
        interface.methods[last].outputs.append(type)
      } else {
        interface.methods[last].inputs.append(type)
      }
    case "signal":
      guard let last = interface.signals.indices.last else { return }
      interface.signals[last].outputs.append(type)
    default: return
    }
    self.interface = interface
  }

  private mutating func annotation(_ element: ElementScanner.Element) {
    guard element["name"] == "org.freedesktop.DBus.Property.EmitsChangedSignal",
      let announcement = element["value"].flatMap(Introspection.Announcement.init)
    else { return }
    if member == nil {
      standard = announcement
    } else if member == "property", let last = interface?.properties.indices.last {
      interface?.properties[last].announcement = announcement
      interface?.properties[last].hasOwnAnnouncement = true
    }
  }

  mutating func endInterface() {
    defer { (interface, member, standard) = (nil, nil, .withValue) }
    guard var interface else { return }
    for index in interface.properties.indices where !interface.properties[index].hasOwnAnnouncement {
      interface.properties[index].announcement = standard
    }
    interfaces.append(interface)
  }
}

/// A scanner for XML elements.
private struct ElementScanner {
  struct Element {
    let name: String
    let attributes: [(String, String)]
    /// True for a self-closing element.
    let isEmpty: Bool

    subscript(name: String) -> String? { attributes.first { $0.0 == name }?.1 }
  }

  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  mutating func next() -> Element? {
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[rest.index(after: start)...]
      guard let first = rest.first else { return nil }
      // Skips declarations, comments and processing instructions.
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
