import JSON
import ReactiveCore

extension OperatorDeclaration {
  static let average = OperatorDeclaration(
    "average", "Emits the mean of the numbers at completion, if there were any.",
    example: OperatorExample("average", in: "1-2-6|", out: "-----(3|)")
  ) { input, context in
    input.folding(context, Mean()) { state, payload, output in
      guard let number = payload.value.double else { return context.refuse(payload, expected: "numbers", output) }
      state.sum += number
      state.count += 1
    } result: {
      $0.count > 0 ? .number($0.sum / $0.count) : nil
    }
  }
}

/// The sum of numbers, and how many there were.
private struct Mean: Storable {
  var sum = 0.0
  var count = 0.0

  init() {}

  func store(in writer: inout StateWriter) {
    sum.store(in: &writer)
    count.store(in: &writer)
  }

  init(from reader: inout StateReader) throws(StateError) {
    sum = try Double(from: &reader)
    count = try Double(from: &reader)
  }
}
