internal import JSON

/// An error with the request that it answers, as far as that is known.
package struct Refusal: Error, Equatable {
  package let id: RequestID?
  package let op: String?
  package let error: WireError

  package init(id: RequestID? = nil, op: String? = nil, _ error: WireError) {
    self.id = id
    // An unknown op may be as long as a line, and is not sent back.
    self.op = op.flatMap { $0.utf8.count <= 64 ? $0 : nil }
    self.error = error
  }

  /// Appends the line `{"reply":"error",…}`.
  package func append(to bytes: inout [UInt8]) {
    appendLine(to: &bytes) { line in
      line.begin(reply: "error", id: id)
      if let op { line.member("op", op) }
      line.member("error", error.object)
    }
  }
}
