/// A name or a path on a bus, as a parameter.
protocol BusWord: ParameterValue {
  static var syntax: BusSyntax { get }
  var text: String { get }
  init(text: String)
}

extension BusWord {
  static var typeName: String { syntax.name }
  static var shape: ParameterShape { .text }
  var defaultText: String? { text }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Self? {
    let reader = reading.reader(node)
    guard let text = reader.text() else { return nil }
    // A text left open can become anything.
    if reader.isOpen || syntax.accepts(text) { return Self(text: text) }
    reader.problems.error("\(node.summary) is not \(syntax.name): \(syntax.rule)", at: node)
    return nil
  }
}

struct BusName: BusWord {
  static let syntax = BusSyntax.busName
  let text: String
}

struct BusPath: BusWord {
  static let syntax = BusSyntax.objectPath
  let text: String
}

struct BusInterface: BusWord {
  static let syntax = BusSyntax.interface
  let text: String
}

struct BusMember: BusWord {
  static let syntax = BusSyntax.member
  let text: String
}

/// Names of properties, as a parameter.
struct BusMembers: ParameterValue {
  let texts: [String]

  static var typeName: String { "a list of member names" }
  static var shape: ParameterShape { .texts }
  var defaultText: String? { nil }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> BusMembers? {
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
  static var typeName: String { "a D-Bus signature" }
  static var shape: ParameterShape { .text }
  var defaultText: String? { text.isEmpty ? "\"\"" : text }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> BusSignature? {
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
