/// The rules for the subjects of messages, for patterns of subjects, and for other names.
enum NATSSubject {
  /// The greatest length of a subject in bytes.
  static let longest = 1_024

  /// Returns the problem in the subject of a message.
  static func problem(in subject: String) -> String? {
    if let problem = common(subject) { return problem }
    return subject.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ">") }
      ? "the subject of a message has no wildcards \"*\" and \">\"" : nil
  }

  /// Returns the problem in a pattern of subjects.
  static func problem(inPattern pattern: String) -> String? {
    if let problem = common(pattern) { return problem }
    let tokens = pattern.split(separator: ".", omittingEmptySubsequences: false)
    for (place, token) in tokens.enumerated() where token.contains("*") || token.contains(">") {
      if token.count > 1 { return "a wildcard \"*\" or \">\" is a whole token, as in sensors.*.state" }
      if token == ">", place + 1 < tokens.count { return "the wildcard \">\" is the last token, as in sensors.>" }
    }
    return nil
  }

  /// Returns the problem in the name of a stream, a consumer or a queue.
  static func problem(inName name: String) -> String? {
    let isPlain = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !".*>/\\".utf8.contains($0) }
    return isPlain ? nil : "\"\(name)\" is no name: it has no spaces and none of . * > / \\"
  }

  private static func common(_ text: String) -> String? {
    if text.isEmpty { return "a subject is not empty" }
    if text.utf8.count > longest { return "a subject has at most \(longest) bytes" }
    if text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) {
      return "a subject has no spaces and no control characters"
    }
    return text.split(separator: ".", omittingEmptySubsequences: false).contains("")
      ? "a subject has no empty token" : nil
  }
}
