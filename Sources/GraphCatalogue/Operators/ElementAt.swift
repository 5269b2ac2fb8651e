import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let elementAt = OperatorDeclaration(
    "element_at",
    "Emits the value with an index, counted from 0, and completes; fails with empty without such a value.",
    Parameter<Int>("index", "the index", .only, maximum: .max),
    example: OperatorExample("element_at: 1", in: "1-2-3|", out: "--(2|)")
  ) { input, context, index in
    let count = context.cell(0)
    return input.deciding { payload, _ in
      defer { count.value += 1 }
      return count.value == index ? payload : nil
    } otherwise: {
      .failure(.empty("completed before value \(index)"))
    }
  }
  .alsoKnown(as: "nth", "elementAt")
}
