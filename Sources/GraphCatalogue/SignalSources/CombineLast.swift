import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let combineLast = SourceDeclaration(
    "combine_last", "Emits the last values of all its signals together, once all of them have completed.",
    kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only),
    dependence: .memory
  ) { context, signals in
    let last = context.cells(signals.references.map { _ in JSONValue?.none })
    return context.join(signals.references.map(context.input)) { inbox, output in
      for (index, events) in inbox.enumerated() {
        last.value[index] = events.last { $0.value != nil }?.value?.value ?? last.value[index]
      }
      for events in inbox { output.forwardFailure(of: events) }
      let isOver = !inbox.isOpen.contains(true)
      let isInVain = Swift.zip(last.value, inbox.isOpen).contains { $0 == nil && !$1 }
      if isOver, !isInVain { output.send(value: signals.payload(of: last.value.compactMap(\.self))) }
      if isOver || isInVain { output.sendCompleted() }
    }
  }
  .alsoKnown(as: "forkJoin", "wait for all")
}
