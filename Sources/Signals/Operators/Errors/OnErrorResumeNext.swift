extension Signal {
  /// All values and, when this signal has completed or failed, the events of a producer; the error is dropped.
  ///
  /// Rx's `onErrorResumeNext`.
  @inlinable public func onErrorResumeNext<F>(_ next: SignalProducer<Value, F>) -> Signal<Value, F> {
    continued { ending in
      if case .interrupted = ending { .end(.interrupted) } else { .replace(next) }
    }
  }
}

extension SignalProducer {
  /// All values and, when this producer has completed or failed, the events of another; the error is dropped.
  ///
  /// Rx's `onErrorResumeNext`.
  @inlinable public func onErrorResumeNext<F>(_ next: SignalProducer<Value, F>) -> SignalProducer<Value, F> {
    continued { ending in
      if case .interrupted = ending { .end(.interrupted) } else { .replace(next) }
    }
  }
}
