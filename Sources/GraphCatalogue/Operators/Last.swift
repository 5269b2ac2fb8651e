import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let last = OperatorDeclaration(
    "last", "Emits the last value at completion.",
    dependence: .memory,
    example: OperatorExample("last", in: "1-2|", out: "---(2|)")
  ) { input, context in
    input.folding(context, Payload?.none) { last, payload, _ in
      last = payload
    } result: {
      $0?.value
    }
  }
}
