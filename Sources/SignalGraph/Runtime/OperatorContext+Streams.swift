import JSON
import ReactiveCore

// Streams that begin with the body rather than with another signal.

extension OperatorContext {
  /// A stream that emits some values when the body starts, and then perhaps ends.
  func generate(_ values: [Payload], then ending: SignalEnding?) -> Stream {
    body.generate(values, then: ending)
  }

  /// What clients and bindings send to this signal.
  func inlet(type: ValueType, endable: Bool, first: Payload? = nil) -> Stream {
    let (stream, output) = Stream.pipe()
    signal.inlet = Inlet(output: output, type: type, isEndable: endable)
    if let first { onStart { output.send(value: first) } }
    return stream
  }

  /// `input` with some values before its own first event, at the latest when the body starts.
  func prefix(_ input: Stream, _ values: [Payload]) -> Stream { body.prefix(input, values) }

  /// Counts from 0: one number after `after`, then one each `every`; without `every` it completes after the first.
  func ticks(after: Duration, every: Duration?) -> Stream {
    let scheduler = scheduler()
    return Stream { output, lifetime in
      let first = scheduler.currentDate + after
      guard let every else {
        lifetime += scheduler.schedule(after: first) {
          output.send(value: .value(.number(0)))
          output.sendCompleted()
        }
        return
      }
      var count = 0.0
      lifetime += scheduler.schedule(after: first, interval: every) {
        output.send(value: .value(.number(count)))
        count += 1
      }
    }
  }

  func ticks(every: Duration) -> Stream { ticks(after: every, every: every) }
}

extension RunningBody {
  func generate(_ values: [Payload], then ending: SignalEnding?) -> Stream {
    let (stream, output) = Stream.pipe()
    keep(output)
    onStart {
      for value in values { output.send(value: value) }
      if let ending { output.end(with: ending) }
    }
    return stream
  }

  func prefix(_ input: Stream, _ values: [Payload]) -> Stream {
    Stream { output, lifetime in
      var waiting = values
      let begin = {
        let values = waiting
        waiting = []
        for value in values { output.send(value: value) }
      }
      lifetime += input.observe { event in
        begin()
        output.send(event)
      }
      onStart(begin)
    }
  }
}
