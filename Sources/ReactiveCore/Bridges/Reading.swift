import Dispatch
import Signals

/// A run that is begun at the first read and interrupted on deinitialisation.
final class Reading<Value, Failure: Error>: @unchecked Sendable {
  let mailbox: Mailbox<Value, Failure>
  private let run = Run()
  private var producer: SignalProducer<Value, Failure>?

  init(_ producer: SignalProducer<Value, Failure>, _ bound: Bound<Failure>) {
    self.producer = producer
    mailbox = Mailbox(bound)
  }

  deinit { cancel() }

  /// Begins the run on this thread, without waiting for capacity: for sources that do not send as soon as they are
  /// started.
  func beginHere() {
    producer?.start(observer, as: run)
    producer = nil
  }

  /// Begins the run on a thread of its own, unless begun; called by the one reader.
  func beginOnce() {
    guard let producer else { return }
    self.producer = nil
    let (mailbox, run) = (mailbox, run)
    nonisolated(unsafe) let begin = { [observer] in producer.start(observer, asPublished: run) }
    DispatchQueue(label: "reactive.reading").async { mailbox.beginning(begin) }
  }

  /// Interrupts the run and drops unread values.
  func cancel() {
    mailbox.close()
    run.dispose()
  }

  private var observer: Observer<Value, Failure> {
    Observer(
      value: { [mailbox, weak run] value in if !mailbox.put(value) { run?.dispose() } },
      ending: { [mailbox] in mailbox.end($0) })
  }
}
