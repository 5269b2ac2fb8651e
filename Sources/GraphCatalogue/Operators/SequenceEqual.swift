import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let sequenceEqual = OperatorDeclaration(
    "sequence_equal", "Emits true if another signal emits the same values in the same order, otherwise false.",
    Parameter<SignalReference>("signal", "the other signal", .only),
    example: OperatorExample("sequence_equal: other", in: "1-2|", others: ["other": "-1-2-|"], out: "-----(t|)")
  ) { input, context, other in
    let waiting = KeptQueues([0, 1].map { _ in Waiting<JSONValue>(limit: defaultWaiting, context) })
    let isOpen = context.cells([true, true])
    return context.join([context.input(input), context.input(of: other)]) { inbox, output in
      do throws(SignalFailure) {
        for (index, events) in inbox.enumerated() {
          output.forwardFailure(of: events)
          for event in events {
            if let value = event.value?.value {
              try waiting.queues[index].append(value)
            } else {
              isOpen.value[index] = false
            }
          }
        }
      } catch {
        return output.send(error: error)
      }
      guard let isEqual = verdict(&waiting.queues, isOpen.value) else { return }
      output.send(value: .value(.bool(isEqual)))
      output.sendCompleted()
    }
  }

  /// Compares the pairs received so far; `nil` while the result is open.
  private static func verdict(_ waiting: inout [Waiting<JSONValue>], _ isOpen: [Bool]) -> Bool? {
    while !waiting[0].isEmpty, !waiting[1].isEmpty {
      if waiting[0].popFirst() != waiting[1].popFirst() { return false }
    }
    for index in [0, 1] where !isOpen[index] && !waiting[1 - index].isEmpty { return false }
    return isOpen.contains(true) ? nil : true
  }
}
