import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let buffer = OperatorDeclaration(
    "buffer", "Emits lists of consecutive values; the remaining values are the last list at completion.",
    Parameter<Int?>("count", "emit a list at this many values", initial: .some(nil), minimum: 1),
    Parameter<ListLength?>(
      "every", "with count, start a new list after every N values; alone, end a list with each of these periods",
      initial: .some(nil), minimum: 1),
    Parameter<TimeZoneName?>("timezone", "with every, the time zone of the calendar", initial: .some(nil)),
    Parameter<Duration?>("time", "end a list this long after its first value", initial: .some(nil)),
    Parameter<Predicate?>("until", "end a list when this is true for it (`.`)", initial: .some(nil)),
    Parameter<Predicate?>(
      "while", "extend a list while this is true for it (`.`), including the next value",
      initial: .some(nil)),
    Parameter<SignalReference?>("on", "end a list when this signal emits", initial: .some(nil)),
    Parameter<GraphExpression?>(
      "timestamp", "with every or time, the time that a value carries, which counts instead of its arrival",
      initial: .some(nil)),
    Parameter<Duration>("lateness", "with timestamp, the time for which a list waits for late values", initial: .zero),
    Parameter<Int>("limit", "the capacity of a list", initial: defaultHolding, minimum: 1),
    Parameter<OverflowPolicy>("overflow", "at the limit, fail or drop the oldest or newest value", initial: .fail),
    example: OperatorExample(
      "buffer: {count: 2}", in: "1-2-3|", out: "--a--(b|)", values: "{a: [1, 2], b: [3]}"),
    check: { count, every, zone, time, until, condition, on, timestamp, lateness, _, _ in
      let period = every?.period
      let closers = [time != nil, period != nil, until != nil, condition != nil, on != nil].count { $0 }
      if closers > 1 || closers == 0 && count == nil {
        return "give one of count, time, every, until, while and on"
      }
      if closers == 1 && count != nil && time == nil && period == nil {
        return "count can be combined with every or time only"
      }
      if zone != nil && period == nil { return "timezone requires a period as every" }
      if timestamp != nil && (time == nil && period == nil || count != nil) {
        return "timestamp requires time or a period as every, without count"
      }
      if lateness != .zero && timestamp == nil { return "lateness requires timestamp" }
      return every?.count != nil && (count == nil || time != nil) ? "every N requires count alone" : nil
    }
  ) { input, context, count, every, zone, time, until, condition, on, timestamp, lateness, limit, overflow in
    if let timestamp {
      let times = EventTimes(timestamp, lateness: lateness, context)
      let calendar = every?.period.map { context.calendar($0, zone) }
      return EventTimeLists(times, ListBound(limit, overflow, context), context) { first in
        if let calendar { return calendar.next(after: first) ?? EventTimes.never }
        return first + EventTimes.length(time ?? .zero)
      }.lists(of: input)
    }
    let list = ValueList(limit: limit, overflow: overflow, context)
    if let period = every?.period { return list.closing(input, with: context.calendar(period, zone), or: count) }
    if let time { return list.closing(input, after: time, or: count) }
    if let until { return list.closing(input, when: context.evaluator(of: until)) }
    if let condition { return list.closing(input, unless: context.evaluator(of: condition)) }
    if let on { return list.closing(input, on: context.input(of: on)) }
    return input.inLists(context, of: count ?? 1, every: every?.count ?? count ?? 1)
  }
  .alsoKnown(as: "batch", "chunk", "collect every", "tumbling window", "bufferCount", "bufferTime")
}
