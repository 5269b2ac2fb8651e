internal import JSON

/// One binding of a variable, of a function's argument, or of a label; a chain of them is all that a node can access.
///
/// Bindings are immutable, so that an expression that is re-entered from its own output, by recursion through an
/// argument for example, finds its own.
final class Scope {
  let value: JSONValue
  let closure: Closure?
  let parent: Scope?

  init(_ value: JSONValue, closure: Closure? = nil, within parent: Scope?) {
    self.value = value
    self.closure = closure
    self.parent = parent
  }

  /// Returns the scope a number of bindings further out.
  func outer(_ hops: Int) -> Scope? {
    guard hops > 0 else { return self }
    var scope = parent
    for _ in 1..<hops { scope = scope?.parent }
    return scope
  }
}

/// An argument of a function: an expression and its defining scope.
struct Closure {
  let node: any Node
  let scope: Scope?
}

extension Frame {
  /// Returns the frame a number of bindings further out.
  func outer(_ hops: Int) -> Frame { hops == 0 ? self : Frame(environment, scope?.outer(hops)) }
}
