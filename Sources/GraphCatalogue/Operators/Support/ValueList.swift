import GraphEngine
import GraphModel
import JSON
import Signals

/// A list that fills until an event closes it, within a limit.
final class ValueList {
  private let limit: Int
  private let overflow: OverflowPolicy
  private let bound: ListBound
  private let context: OperatorContext
  private let held: Cell<[JSONValue]>

  init(limit: Int, overflow: OverflowPolicy, _ context: OperatorContext) {
    self.limit = limit
    self.overflow = overflow
    bound = ListBound(limit, overflow, context)
    self.context = context
    held = context.cell([])
  }

  private var values: [JSONValue] {
    get { held.value }
    _modify { yield &held.value }
  }

  /// Emits lists that close a time after their first value, or at `count` values.
  func closing(_ input: Stream, after time: Duration, or count: Int?) -> Stream {
    Stream { output, lifetime in
      let alarm = Alarm(context) { [self] _, _ in close(output) }
      lifetime += alarm
      lifetime += input.observe(
        StreamObserver(
          value: { [self] payload in
            if values.isEmpty { alarm.set(at: context.clock.now + time) }
            append(payload, output)
            if values.count == count {
              alarm.cancel()
              close(output)
            }
          },
          ending: { [self] in end($0, output) }))
    }
  }

  /// Emits lists that close at the times of a calendar, or at `count` values.
  func closing(_ input: Stream, with calendar: Calendar, or count: Int?) -> Stream {
    Stream { output, lifetime in
      let alarm = CalendarAlarm(context, calendar, repeatingAfter: .zero) { [self] _, _ in close(output) }
      lifetime += alarm
      lifetime += input.observe(
        StreamObserver(
          value: { [self] payload in
            alarm.passIfDue()
            if !alarm.isSet { alarm.wait() }
            append(payload, output)
            if values.count == count { close(output) }
          },
          ending: { [self] in end($0, output) }))
    }
  }

  /// Emits lists that close when an expression is true for their content; a value with which it fails is left out.
  func closing(_ input: Stream, when condition: Evaluator) -> Stream {
    input.through(
      value: { [self] payload, output in
        guard values.count < limit || overflow == .dropOldest else {
          append(payload, output)
          if condition.truth(of: .value(.array(values)), refusingTo: output) ?? false { close(output) }
          return
        }
        let oldest: JSONValue? = values.count < limit ? .none : .some(values.removeFirst())
        values.append(payload.value)
        guard let isComplete = condition.truth(of: .value(.array(values)), refusingTo: output) else {
          values.removeLast()
          if let oldest { values.insert(oldest, at: 0) }
          return
        }
        if oldest != nil { context.dropOne(past: limit, "values") }
        if isComplete { close(output) }
      },
      ending: { [self] in end($0, $1) })
  }

  /// Emits lists that close before a value for which an expression on the content is not true; one with which it fails is
  /// left out.
  func closing(_ input: Stream, unless condition: Evaluator) -> Stream {
    input.through(
      value: { [self] payload, output in
        // In place, since a copy for each value would take as long as the list is.
        values.append(payload.value)
        let isAccepted = condition.truth(of: .value(.array(values)), refusingTo: output)
        values.removeLast()
        guard let isAccepted else { return }
        if !isAccepted { close(output) }
        append(payload, output)
      },
      ending: { [self] in end($0, $1) })
  }

  /// Emits lists that close when a signal emits; values from the same turn are included.
  func closing(_ input: Stream, on signal: RestartableInput) -> Stream {
    context.join([RestartableInput(input), signal]) { [self] inbox, output in
      for event in inbox[0] {
        if let payload = event.value { append(payload, output) }
      }
      if inbox[1].contains(where: { $0.value != nil }) { close(output) }
      output.forwardFailure(of: inbox[1])
      if let ending = inbox[0].last?.ending { end(ending, output) }
    }
  }

  private func append(_ payload: Payload, _ output: StreamObserver) {
    guard bound.makeRoom(among: values.count, output, dropOldest: { values.removeFirst() }) else { return }
    values.append(payload.value)
  }

  private func close(_ output: StreamObserver) {
    guard !values.isEmpty else { return }
    let list = values
    values = []
    output.send(value: .value(.array(list)))
  }

  private func end(_ ending: Ending<SignalFailure>, _ output: StreamObserver) {
    if case .completed = ending { close(output) }
    output.send(ending)
  }
}

extension Signal where Value == Payload, Failure == SignalFailure {
  /// Emits lists of `count` values; a new one begins every `step` values.
  ///
  /// Only the oldest open list is kept: the others are its ends. States of earlier versions have all of them.
  func inLists(_ context: OperatorContext, of count: Int, every step: Int) -> Stream {
    let open = context.cell([[JSONValue]]())
    let number = context.cell(0)
    return through(
      value: { payload, output in
        if open.value.count > 1 { open.value.removeLast(open.value.count - 1) }
        if open.value.isEmpty, number.value % step == 0 { open.value.append([]) }
        number.value += 1
        guard !open.value.isEmpty else { return }
        open.value[0].append(payload.value)
        guard open.value[0].count == count else { return }
        let list = open.value[0]
        if step < count { open.value[0].removeFirst(step) } else { open.value = [] }
        output.send(value: .value(.array(list)))
      },
      ending: { ending, output in
        if case .completed = ending, let oldest = open.value.first {
          for start in stride(from: 0, to: oldest.count, by: step) {
            output.send(value: .value(.array(Array(oldest[start...]))))
          }
        }
        output.send(ending)
      })
  }
}
