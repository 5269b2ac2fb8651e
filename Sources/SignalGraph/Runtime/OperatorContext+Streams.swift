import JSON
import ReactiveCore

// Streams that begin with the graph rather than with a value from outside.

extension OperatorContext {
  /// A stream that emits some values when the graph starts, and then perhaps ends.
  func generate(_ values: [Payload], then ending: SignalEnding?) -> Stream {
    let (stream, output) = Stream.pipe()
    keep(output)
    onStart {
      for value in values { output.send(value: value) }
      if let ending { output.end(with: ending) }
    }
    return stream
  }

  /// What clients send to this signal.
  func inlet(type: ValueType, endable: Bool, first: Payload? = nil) -> Stream {
    let (stream, output) = Stream.pipe()
    keep(output)
    signal.inlet = Inlet(output: output, type: type, isEndable: endable)
    if let first { onStart { output.send(value: first) } }
    return stream
  }

  /// `input` with some values before its own first event, at the latest when the graph starts.
  func prefix(_ input: Stream, _ values: [Payload]) -> Stream {
    let (stream, output) = Stream.pipe()
    var waiting = values
    let begin = {
      let values = waiting
      waiting = []
      for value in values { output.send(value: value) }
    }
    input.observe { event in
      begin()
      output.send(event)
    }
    onStart(begin)
    return stream
  }

  /// Counts from 0: one number after `after`, then one each `every`; without `every` it completes after the first.
  func ticks(after: Duration, every: Duration?) -> Stream {
    let (stream, output) = Stream.pipe()
    keep(output)
    var count = 0.0
    if let every {
      repeating(after: after, every: every) {
        output.send(value: .value(.number(count)))
        count += 1
      }
    } else {
      let scheduler = scheduler()
      graph.keep(
        scheduler.schedule(after: scheduler.currentDate + after) {
          output.send(value: .value(.number(0)))
          output.sendCompleted()
        })
    }
    return stream
  }

  func ticks(every: Duration) -> Stream { ticks(after: every, every: every) }
}
