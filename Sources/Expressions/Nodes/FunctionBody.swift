/// The body of a `def`; calls refer to it before it is compiled, since it may call itself.
///
/// It is filled in once, by the compiler, before anything is evaluated.
final class FunctionBody: @unchecked Sendable {
  var node: any Node = IdentityNode.shared
  /// Whether one call with direct arguments has one output at most.
  var isDirect = false
  /// Whether a call of it has been compiled.
  var isCalled = false
}
