package import GraphModel
import Signals

/// The source of the messages that a signal publishes: it follows the signal, and emits each message.
package final class PublicationSource: BuildableSource {
  let publications: [Publication]
  private let reference: SignalReference
  package let ranks: Ranks

  package init(_ publications: [Publication], of reference: SignalReference, _ ranks: Ranks) {
    self.publications = publications
    self.reference = reference
    self.ranks = ranks
  }

  package var name: String { "publish" }
  package var kind: SignalKind { .derived }
  package var isHeld: Bool { false }
  package var references: [SignalReference] { [reference] }
  package var dependence: Dependence { .memory }
  package var needs: [OutsideNeed] { [] }

  package func build(_ context: OperatorContext) -> Stream {
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let queues = publications.map { PublicationQueue($0, context, output) }
    let input = context.stream(of: reference)
    let end = DelayedEnd(queues, output, context)
    let observation = input.observe { event in
      switch event {
      case .value(let value): for queue in queues { queue.publish(value) }
      case .completed: end.set(.completed)
      case .failed(let failure): end.set(.failed(failure))
      case .interrupted: end.set(.interrupted)
      }
    }
    context.body.onEnd {
      observation?.dispose()
      for queue in queues { queue.onEmpty = {} }
    }
    return stream
  }
}

/// The end of a signal that waits until all its messages are published.
private final class DelayedEnd {
  private let queues: [PublicationQueue]
  private let output: StreamObserver
  private let ending: Cell<SignalEnding?>

  init(_ queues: [PublicationQueue], _ output: StreamObserver, _ context: OperatorContext) {
    self.queues = queues
    self.output = output
    ending = context.cell(nil)
    for queue in queues { queue.onEmpty = { [self] in endIfDone() } }
  }

  func set(_ ending: SignalEnding) {
    self.ending.value = ending
    endIfDone()
  }

  private func endIfDone() {
    guard let ending = ending.value, queues.allSatisfy(\.isEmpty) else { return }
    self.ending.value = nil
    output.end(with: ending)
  }
}
