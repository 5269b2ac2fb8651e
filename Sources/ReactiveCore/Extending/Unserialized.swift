// ReactiveSwift offers signals that do not serialise the events of several threads, for speed, and among them some that
// may be sent to from inside a delivery. Here every signal does both, at less cost than those, so these are aliases.

public import Signals

extension Signal {
  /// A signal that `generator` feeds: an alias of `init(_:)`.
  public static func unserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal { Signal(generator) }

  /// A signal that `generator` feeds: an alias of `init(_:)`.
  public static func reentrantUnserialized(_ generator: (Observer, Lifetime) -> Void) -> Signal { Signal(generator) }

  /// A signal together with the observer that feeds it: an alias of `pipe(disposable:)`.
  public static func unserializedPipe(disposable: (any Disposable)? = nil) -> (output: Signal, input: Observer) {
    pipe(disposable: disposable)
  }

  /// A signal together with the observer that feeds it: an alias of `pipe(disposable:)`.
  public static func reentrantUnserializedPipe(
    disposable: (any Disposable)? = nil
  ) -> (output: Signal, input: Observer) {
    pipe(disposable: disposable)
  }
}

extension SignalProducer {
  /// A producer whose runs do what `startHandler` does: an alias of `init(_:)`.
  public static func unserialized(_ startHandler: @escaping (Observer, Lifetime) -> Void) -> SignalProducer {
    SignalProducer(startHandler)
  }
}
