/// The answer to a request that was carried out.
package protocol Reply: Sendable {
  static var op: StaticString { get }

  /// Writes the members behind `reply` and `id`.
  func writeMembers(to line: inout LineWriter)
}

extension Reply {
  /// Appends the line, with the request's `id` where it had one.
  package func append(to bytes: inout [UInt8], id: RequestID?) {
    appendLine(to: &bytes) { line in
      line.begin(reply: Self.op, id: id)
      writeMembers(to: &line)
    }
  }
}
