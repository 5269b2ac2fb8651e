import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let takeUntilReplacement = OperatorDeclaration(
    "take_until_replacement", "Passes values on until another signal emits or ends, and then follows that one.",
    Parameter<SignalReference>("signal", "the replacement", .only),
    dependence: .memory,
    example: OperatorExample(
      "take_until_replacement: other", in: "1-2-3|", others: ["other": "---7-8|"], out: "1-27-8|")
  ) { input, context, signal in
    let isReplaced = context.cell(false)
    return context.join([context.input(input), context.input(of: signal)]) { inbox, output in
      isReplaced.value = isReplaced.value || !inbox[1].isEmpty
      for event in isReplaced.value ? inbox[1] : inbox[0] {
        // The input's own completion does not end the wait for the replacement.
        if !isReplaced.value, case .completed = event { continue }
        output.send(event)
      }
    }
  }
}
