/// A rule for the signals that a connection is sent.
package struct MatchRule: Hashable, Sendable {
  /// The name of the service that sends them.
  package let sender: String
  /// The path of the object; `nil` for all of them.
  package let path: String?
  package let interface: String
  package let member: String
  /// The strings that arguments must be, by their numbers from 0 to 63.
  package let arguments: [Int: String]

  package init(
    sender: String, path: String?, interface: String, member: String, arguments: [Int: String] = [:]
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }

  /// The rule as the bus takes it.
  package var text: String {
    let parts = [("sender", sender), ("path", path), ("interface", interface), ("member", member)]
    let others = arguments.sorted { $0.key < $1.key }.map { ("arg\($0.key)", $0.value) }
    let written = parts.compactMap { key, value in value.map { (key, $0) } } + others
    return (["type='signal'"] + written.map { "\($0)='\($1)'" }).joined(separator: ",")
  }

  /// Whether a string can stand in a rule: sd-bus and the bus differ in how they read quotes and backslashes.
  package static func canHold(_ text: String) -> Bool {
    !text.utf8.contains { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\") || $0 == 0 }
  }
}
