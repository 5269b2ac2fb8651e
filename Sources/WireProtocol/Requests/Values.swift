package import JSON

/// A request for the values that many signals hold.
package struct ValuesRequest: WireRequest {
  package static let op = "values"
  package static let summary = "Return the values that signals hold, with their times, starting nothing."
  package static let fields: [RequestField<Self>] = [
    .optional("pattern", \.pattern, "only matching signals, such as climate.*"),
    .optional("history", \.history, "also the retained values of this period"),
    .optional("step", \.step, "with history, the last value of each such interval"),
    .optional("extremes", \.extremes, "with step, also the lowest and the highest value of each interval"),
  ]
  package static let shorthand: [ShorthandField] = [.word("pattern")]

  package var pattern: SignalPattern?
  package var history: Interval?
  package var step: Interval?
  package var extremes: Bool?

  package init() {}
}

package struct ValuesReply: Reply {
  package static let op: StaticString = "values"

  /// A value of a signal.
  package struct Sample: Sendable {
    let signal: String
    let seq: UInt64
    let time: Timestamp
    let value: Payload
    let unit: String?

    package init(signal: String, seq: UInt64, time: Timestamp, value: Payload, unit: String?) {
      (self.signal, self.seq, self.time, self.value, self.unit) = (signal, seq, time, value, unit)
    }
  }

  package let samples: [Sample]

  package init(samples: [Sample]) { self.samples = samples }

  package func writeMembers(to line: inout LineWriter) {
    line.key("values")
    line.json.write(literal: "[")
    for (index, sample) in samples.enumerated() {
      line.json.write(literal: index == 0 ? "{\"signal\":" : ",{\"signal\":")
      line.json.write(sample.signal)
      line.member("seq", sample.seq)
      line.member("at", sample.time)
      line.member("value", sample.value)
      if let unit = sample.unit { line.member("unit", unit) }
      line.json.write(literal: "}")
    }
    line.json.write(literal: "]")
  }
}
