// ReactiveSwift offers signals that do not put the events of several threads in line, for speed, and among them some
// that may be sent to from inside a delivery. Here every signal does both, at less cost than those, so these are other
// names for the same.

extension Signal {
  /// A signal that `generator` feeds: the same as `init(_:)`.
  public static func unserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal { Signal(generator) }

  /// A signal that `generator` feeds: the same as `init(_:)`.
  public static func reentrantUnserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal { Signal(generator) }

  /// A signal together with the observer that feeds it: the same as `pipe(disposable:)`.
  public static func unserializedPipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
    pipe(disposable: disposable)
  }

  /// A signal together with the observer that feeds it: the same as `pipe(disposable:)`.
  public static func reentrantUnserializedPipe(
    disposable: (any Disposable)? = nil
  ) -> (output: Signal, input: Observer) {
    pipe(disposable: disposable)
  }
}

extension SignalProducer {
  /// A producer whose runs do what `startHandler` does: the same as `init(_:)`.
  public static func unserialized(_ startHandler: @escaping (Observer, Lifetime) -> Void) -> SignalProducer {
    SignalProducer(startHandler)
  }
}
