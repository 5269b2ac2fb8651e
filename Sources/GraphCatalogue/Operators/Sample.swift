import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let sample = OperatorDeclaration(
    "sample", "Emits the latest value whenever the sampler emits, again if there is no new one.",
    Parameter<SignalReference?>("on", "the sampler", initial: .some(nil)),
    Parameter<Duration?>("every", "the sampling interval", initial: .some(nil), shortest: .milliseconds(1)),
    Parameter<Bool>("repeat", "emit a value again if there is no new one", initial: true),
    Parameter<Bool>("with_value", "emit [value, sampler's value]", initial: false),
    dependence: .memory,
    example: OperatorExample("sample: {on: tick}", in: "-1--2-|", others: ["tick": "t-tt-t-"], out: "--11-2|"),
    check: { on, every, _, withValue in
      if (on == nil) == (every == nil) { return "give exactly one of on and every" }
      return withValue && on == nil ? "with_value requires on" : nil
    }
  ) { input, context, on, every, repeats, withValue in
    let sampler = if let on { context.input(of: on) } else { RestartableInput(context.ticks(every: every ?? .zero)) }
    let latest = context.cell(Payload?.none)
    return context.join([RestartableInput(input), sampler]) { inbox, output in
      latest.value = inbox[0].last { $0.value != nil }?.value ?? latest.value
      for event in inbox[1] {
        guard let tick = event.value, let value = latest.value else { continue }
        output.send(value: withValue ? .value(.array([value.value, tick.value])) : value)
        if !repeats { latest.value = nil }
      }
      output.forwardEnding(of: inbox[0] + inbox[1])
    }
  }
  .alsoKnown(as: "snapshot", "poll", "sampleTime", "every", "downsample")
}
