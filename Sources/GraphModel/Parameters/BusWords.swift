/// A name or a path on a bus, as a parameter.
package protocol BusWord: ParameterValue {
  static var syntax: BusSyntax { get }
  var text: String { get }
  init(text: String)
}

extension BusWord {
  package static var typeName: String { syntax.name }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { text }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Self? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    // A text left open can become anything.
    if reader.isOpen || syntax.accepts(text) { return Self(text: text) }
    reader.problems.error("\(node.summary) is not \(syntax.name): \(syntax.rule)", at: node)
    return nil
  }
}

package struct BusName: BusWord {
  package static let syntax = BusSyntax.busName
  package let text: String

  package init(text: String) { self.text = text }
}

package struct BusPath: BusWord {
  package static let syntax = BusSyntax.objectPath
  package let text: String

  package init(text: String) { self.text = text }
}

package struct BusInterface: BusWord {
  package static let syntax = BusSyntax.interface
  package let text: String

  package init(text: String) { self.text = text }
}

package struct BusMember: BusWord {
  package static let syntax = BusSyntax.member
  package let text: String

  package init(text: String) { self.text = text }
}

/// Names of properties, as a parameter.
package struct BusMembers: ParameterValue {
  package let texts: [String]

  package static var typeName: String { "a list of member names" }
  package static var shape: ParameterShape { .texts }
  package var defaultText: String? { nil }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> BusMembers? {
    let problems = reading.reader.problems
    guard let elements = node.elements, !elements.isEmpty else {
      problems.error("expected \(typeName), found \(node.summary)", at: node)
      return nil
    }
    let members = elements.compactMap { BusMember.read($0, reading)?.text }
    guard members.count == elements.count else { return nil }
    for (index, member) in members.enumerated() where members[..<index].contains(member) {
      problems.error("duplicate \"\(member)\"", at: elements[index])
      return nil
    }
    return BusMembers(texts: members)
  }
}

extension BusSignature: ParameterValue {
  package static var typeName: String { "a D-Bus signature" }
  package static var shape: ParameterShape { .text }
  package var defaultText: String? { text.isEmpty ? "\"\"" : text }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> BusSignature? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    if reader.isOpen { return .empty }
    guard let signature = BusSignature(text) else {
      reader.problems.error(
        "\(node.summary) is not a D-Bus signature: one type per argument, such as s (a string), b (a boolean), "
          + "u (a number), as (strings), a{sv} (an object)", at: node)
      return nil
    }
    if signature.hasDescriptors {
      reader.problems.error("a file descriptor (h) cannot be sent as a value", at: node)
      return nil
    }
    return signature
  }
}
