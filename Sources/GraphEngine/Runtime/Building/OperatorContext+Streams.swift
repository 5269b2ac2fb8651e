package import GraphModel
package import JSON
import Signals

// Streams that begin with the body and not with another signal.

extension OperatorContext {
  /// Returns a stream that emits some values when the body starts, and then the ending, if any.
  package func generate(_ values: [Payload], then ending: SignalEnding?) -> Stream {
    body.generate(values, then: ending)
  }

  /// The relation of an attachment to the one that existed when the state was saved.
  package enum Attachment {
    /// There was none, or the world does not count them.
    case first
    case another
    /// The saved one continues, as in a state log.
    case same
  }

  /// Runs `attach` when the body starts or resumes, with the world that it attaches to.
  package func onAttach(_ attach: @escaping (_ world: any GraphWorld, _ attachment: Attachment) -> Void) {
    let number = cell(UInt64(0))
    onAttach {
      let earlier = number.value
      number.value = world.number(after: earlier)
      let isSame = earlier > 0 && number.value == earlier
      attach(world.numbered(number.value), number.value != earlier ? .another : isSame ? .same : .first)
    }
  }

  /// Returns the values that clients and bindings send to this signal.
  package func inlet(type: DeclaredType, endable: Bool, first: Payload? = nil) -> Stream {
    let (stream, output) = Stream.pipe()
    signal.inlet = Inlet(output: output, type: type, isEndable: endable)
    if let first { onStart { output.send(value: first) } }
    return stream
  }

  /// Returns `input` with some values before its own first event, emitted at the latest when the body starts.
  package func prefix(_ input: Stream, _ values: [Payload]) -> Stream { body.prefix(input, values) }

  /// Returns a count from 0: one number after `after`, then one each `every`; without `every` it completes after the
  /// first.
  package func ticks(after: Duration, every: Duration?) -> Stream {
    Stream { output, lifetime in
      let count = cell(0.0)
      let alarm = Alarm(self) { alarm, due in
        if let every { alarm.set(at: next(after: due, every: every)) }
        let number = count.value
        count.value += 1
        output.send(value: .value(.number(number)))
        if every == nil { output.sendCompleted() }
      }
      lifetime += alarm
      if !body.isRestored { alarm.set(at: clock.now + after) }
    }
  }

  /// Returns the next due time of a periodic timer: ticks missed while the clock stood still are skipped.
  private func next(after due: Instant, every interval: Duration) -> Instant {
    let next = due + interval
    return next > clock.now ? next : due + interval * (Int((clock.now - due) / interval) + 1)
  }

  /// Runs `action` periodically while the body runs, each time as a turn.
  package func repeating(every interval: Duration, _ action: @escaping () -> Void) {
    let alarm = Alarm(self) { alarm, due in
      alarm.set(at: next(after: due, every: interval))
      action()
    }
    body.onEnd { alarm.dispose() }
    if !body.isRestored { alarm.set(at: clock.now + interval) }
  }

  package func ticks(every: Duration) -> Stream { ticks(after: every, every: every) }
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
      var waiting = isRestored ? [] : values
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
