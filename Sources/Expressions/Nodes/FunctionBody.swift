/// The body of a `def`; calls refer to it before it is compiled, since it may call itself.
///
/// The compiler fills it in once, before any evaluation.
final class FunctionBody: @unchecked Sendable {
  var node: any Node = IdentityNode.shared
  /// True if a call with direct arguments has at most one output.
  var isDirect = false
  /// True if a call of it has been compiled.
  var isCalled = false
}
