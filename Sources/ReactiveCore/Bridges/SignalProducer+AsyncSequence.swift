public import Signals

extension SignalProducer {
  /// A producer whose runs iterate over an asynchronous sequence, each in a task of its own.
  ///
  /// It sends the elements, then the sequence's end or error. Disposing of a run cancels its task. The next element is
  /// requested after the previous one was delivered.
  public init<Elements: AsyncSequence & Sendable>(_ elements: Elements)
  where Elements.Element == Value, Elements.Failure == Failure {
    self.init { observer, lifetime in
      nonisolated(unsafe) let observer = observer
      let task = Task {
        do throws(Failure) {
          var iterator = elements.makeAsyncIterator()
          while let value = try await iterator.next(isolation: nil) { observer.send(value: value) }
          observer.sendCompleted()
        } catch {
          observer.send(error: error)
        }
      }
      lifetime.observeEnded { task.cancel() }
    }
  }
}
