/// An input of a join: a signal, a producer, or a pair of sources.
@usableFromInline protocol Source<Value, Failure> {
  associatedtype Value
  associatedtype Failure: Error

  /// Sends this source's events to `observer` within `scope`, until the scope is disposed of.
  func feed(_ observer: Observer<Value, Failure>, in scope: Scope)
}

extension Signal: Source {}
extension SignalProducer: Source {}
