internal import JSON

/// A request for the list of ops.
package struct HelpRequest: WireRequest {
  package static let op = "help"
  package static let summary = "Explain all ops, or one."
  package static let fields: [RequestField<Self>] = [.optional("about", \.about, "one op")]
  package static let shorthand: [ShorthandField] = [.word("about")]

  package var about: String?

  package init() {}

  package func check() throws(WireError) {
    if let about, RequestDeclaration.named(about) == nil { throw RequestDeclaration.unknownOp(about) }
  }
}

package struct HelpReply: Reply {
  package static let op: StaticString = "help"

  package let declarations: [RequestDeclaration]

  /// Creates the explanation of one op, or of all given ones.
  package init(about op: String?, of declarations: [RequestDeclaration] = RequestDeclaration.all) {
    self.declarations = op.map { op in declarations.filter { $0.op == op } } ?? declarations
  }

  package func writeMembers(to line: inout LineWriter) { line.member("ops", .array(declarations.map(\.explanation))) }
}
