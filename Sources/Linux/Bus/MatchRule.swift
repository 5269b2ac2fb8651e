package import Base

/// A match rule for signals.
package struct MatchRule: Hashable, Sendable {
  /// The service name of the sender.
  package let sender: String
  /// The object path; `nil` for any.
  package let path: String?
  package let interface: String
  package let member: String
  /// The required string arguments, by index from 0 to 63; the bus compares them by their bytes.
  package let arguments: [Int: ExactText]

  package init(
    sender: String, path: String?, interface: String, member: String, arguments: [Int: ExactText] = [:]
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }

  /// The rule in the bus's syntax.
  package var text: String {
    let parts = [("sender", sender), ("path", path), ("interface", interface), ("member", member)]
    let others = arguments.sorted { $0.key < $1.key }.map { ("arg\($0.key)", $0.value.text) }
    let written = parts.compactMap { key, value in value.map { (key, $0) } } + others
    return (["type='signal'"] + written.map { "\($0)='\($1)'" }).joined(separator: ",")
  }

  /// Accepts strings without quotes and backslashes, which sd-bus and the bus parse differently.
  package static func canHold(_ text: String) -> Bool {
    !text.utf8.contains { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\") || $0 == 0 }
  }
}
