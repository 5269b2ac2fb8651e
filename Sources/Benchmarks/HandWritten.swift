// The code that a program would contain for one such need without a library: a class with a list of closures, and
// closures that call each other. It counts references and checks exclusive access as Swift does by itself; it has no
// endings, disposal, threads or sends from inside a delivery.

/// The hand-written counterpart of a pipe.
final class Source {
  private var observers: [(Int) -> Void] = []

  func observe(_ observer: @escaping (Int) -> Void) { observers.append(observer) }

  @inline(never) func send(_ value: Int) {
    for observer in observers { observer(value) }
  }
}

/// The addition that keeps results alive.
func adding() -> (Int) -> Void { hidden { sink &+= $0 } }

/// Returns work that sends to a source observed by `observer`.
func sending(to observer: @escaping (Int) -> Void) -> (Int) -> Void {
  let source = Source()
  source.observe(observer)
  return { count in for number in 0..<count { source.send(number) } }
}

/// Hides a closure from the optimiser, like one from another module.
@inline(never) @_optimize(none) func hidden(_ closure: @escaping (Int) -> Void) -> (Int) -> Void { closure }

/// A link of a chain: its step for a value, and the closure called with the result, if any.
@inline(__always) func link(_ step: @escaping (Int) -> Int?, _ next: @escaping (Int) -> Void) -> (Int) -> Void {
  hidden { if let value = step($0) { next(value) } }
}

/// A link of a chain that transforms.
@inline(__always) func mapping(_ transform: @escaping (Int) -> Int, _ next: @escaping (Int) -> Void) -> (Int) -> Void {
  hidden { next(transform($0)) }
}

/// Observers of two sources with a shared state, and work that sends to them in turn.
func sendingInTurn(to left: @escaping (Int) -> Void, _ right: @escaping (Int) -> Void) -> (Int) -> Void {
  let sources = (Source(), Source())
  sources.0.observe(left)
  sources.1.observe(right)
  return { count in
    for number in 0..<count / 2 {
      sources.0.send(number)
      sources.1.send(number)
    }
  }
}
