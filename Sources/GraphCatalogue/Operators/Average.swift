import Expressions
import JSON
import Signals

extension OperatorDeclaration {
  static let average = OperatorDeclaration(
    "average", "Emits the mean of the numbers at completion; nothing without numbers.",
    example: OperatorExample("average", in: "1-2-6|", out: "-----(3|)")
  ) { input, context in
    input.folding(context, Mean()) { state, payload, output in
      guard let number = payload.value.asNumber else { return context.refuse(payload, expected: "numbers", output) }
      state.sum += number
      state.count += 1
    } result: {
      $0.count > 0 ? .number($0.sum / $0.count) : nil
    }
  }
  .alsoKnown(as: "mean", "avg")
}

/// A sum of numbers and their count.
private struct Mean: StateRecord {
  var sum = 0.0
  var count = 0.0

  init() {}

  init(_ field: inout StateCoder<Self>) throws(StateError) {
    sum = try field(\.sum)
    count = try field(\.count)
  }
}
