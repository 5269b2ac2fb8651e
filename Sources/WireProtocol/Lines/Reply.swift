/// The answer to a successful request.
package protocol Reply: Sendable {
  static var op: StaticString { get }

  /// Writes the members after `reply` and `id`.
  func writeMembers(to line: inout LineWriter)
}

extension Reply {
  /// Appends the line, with the `id` of the request if it had one.
  package func append(to bytes: inout [UInt8], id: RequestID?) {
    appendLine(to: &bytes) { line in
      line.begin(reply: Self.op, id: id)
      writeMembers(to: &line)
    }
  }
}
