package import GraphModel
import JSON
import Signals

/// Lists of values, each for one call; what is left at the completion is the last list.
package final class CallBatches {
  private let bounds: CallBatch
  private let context: OperatorContext
  private let backlog: CallBacklog
  private let held: Cell<[JSONValue]>
  /// The bytes of the held values; known again only from here on in a restored body.
  private var bytes: Int

  package init(_ bounds: CallBatch, in backlog: CallBacklog, _ context: OperatorContext) {
    self.bounds = bounds
    self.context = context
    self.backlog = backlog
    held = context.cell([])
    bytes = 0
  }

  package func stream(of input: Stream) -> Stream {
    Stream { [self] output, lifetime in
      let alarm = Alarm(context) { [self] _, _ in close(output) }
      lifetime += alarm
      bytes = held.value.reduce(0) { $0 + Self.size(of: .value($1)) }
      backlog.gather(!held.value.isEmpty)
      lifetime += input.observe(
        StreamObserver(
          value: { [self] payload in
            append(payload, alarm, output)
          },
          ending: { [self] ending in
            if case .completed = ending { close(output) }
            held.value = []
            backlog.gather(false)
            output.end(with: SignalEnding(ending))
          }))
    }
  }

  private func append(_ payload: Payload, _ alarm: Alarm, _ output: StreamObserver) {
    let size = Self.size(of: payload)
    if !held.value.isEmpty, bytes + size > bounds.bytes { close(output) }
    if held.value.isEmpty, let time = bounds.time { alarm.set(at: context.clock.now + time) }
    held.value.append(payload.value)
    backlog.gather(true)
    bytes += size
    guard held.value.count >= bounds.count || bytes >= bounds.bytes else { return }
    alarm.cancel()
    close(output)
  }

  private func close(_ output: StreamObserver) {
    guard !held.value.isEmpty else { return }
    let values = held.value
    (held.value, bytes) = ([], 0)
    backlog.gather(false)
    output.send(value: .value(.array(values)))
  }

  /// With the comma behind it.
  private static func size(of payload: Payload) -> Int { payload.json.count + 1 }
}
