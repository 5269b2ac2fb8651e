import JSON
import ReactiveCore

extension SourceDeclaration {
  static let combineLast = SourceDeclaration(
    "combine_last", "Emits the last values of all its signals together, once all of them have completed.",
    kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only)
  ) { context, signals in
    var last = signals.references.map { _ in JSONValue?.none }
    var open = last.count
    return context.join(signals.references.map(context.stream)) { inbox, output in
      var isInVain = false
      for (index, events) in inbox.enumerated() {
        last[index] = events.last { $0.value != nil }?.value?.value ?? last[index]
        guard case .completed? = events.last else { continue }
        open -= 1
        isInVain = isInVain || last[index] == nil
      }
      for events in inbox { output.forwardFailure(of: events) }
      if open == 0, !isInVain { output.send(value: signals.payload(of: last.compactMap(\.self))) }
      if open == 0 || isInVain { output.sendCompleted() }
    }
  }
}
