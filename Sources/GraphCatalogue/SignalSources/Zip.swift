import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let zip = SourceDeclaration(
    "zip", "Emits the first values of all its signals together, then the second ones, and so on.", kind: .derived,
    Parameter<SignalList>("signals", "the signals", .only),
    Parameter<Int>("limit", "the queue capacity of each signal", .beside, initial: defaultWaiting, minimum: 1),
    Parameter<OverflowPolicy>(
      "overflow", "at the limit, fail or drop the oldest or newest value", .beside, initial: .fail)
  ) { context, signals, limit, overflow in
    let waiting = KeptQueues(
      signals.references.map { _ in Waiting<JSONValue>(limit: limit, overflow: overflow, context) })
    return context.join(signals.references.map(context.input)) { inbox, output in
      let longest = inbox.map(\.count).max() ?? 0
      do throws(SignalFailure) {
        for place in 0..<longest {
          for (index, events) in inbox.enumerated() where place < events.count {
            if let value = events[place].value?.value { try waiting.queues[index].append(value) }
          }
          if !waiting.queues.contains(where: \.isEmpty) {
            let values = waiting.queues.indices.compactMap { waiting.queues[$0].popFirst() }
            output.send(value: signals.payload(of: values))
          }
        }
      } catch {
        return output.send(error: error)
      }
      for events in inbox { output.forwardFailure(of: events) }
      if Swift.zip(waiting.queues, inbox.isOpen).contains(where: { $0.isEmpty && !$1 }) { output.sendCompleted() }
    }
  }
  .alsoKnown(as: "pair")
}

extension SignalList {
  /// Combines one value of each signal: a list, or an object with the labels.
  func payload(of values: [JSONValue]) -> Payload {
    guard let labels else { return .value(.array(values)) }
    return .value(.object(JSONObject(Array(zip(labels, values)))))
  }
}
