import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let withLatest = OperatorDeclaration(
    "with_latest", "Pairs each value with the latest value of another signal, which emits nothing by itself.",
    Parameter<SignalReference>("signal", "the other signal", .only),
    dependence: .memory,
    example: OperatorExample(
      "with_latest: other", in: "1-2-3|", others: ["other": "-a-b--"], out: "--x-y|",
      values: "{x: [2, a], y: [3, b]}")
  ) { input, context, other in
    let latest = context.cell(Payload?.none)
    return context.join([RestartableInput(input), context.input(of: other)]) { inbox, output in
      latest.value = inbox[1].last { $0.value != nil }?.value ?? latest.value
      for event in inbox[0] {
        guard let own = event.value, let latest = latest.value else { continue }
        output.send(value: .value(.array([own.value, latest.value])))
      }
      output.forwardError(of: inbox[1])
      output.forwardEnding(of: inbox[0])
    }
  }
  .alsoKnown(as: "withLatestFrom", "latest of", "enrich", "lookup")
}
