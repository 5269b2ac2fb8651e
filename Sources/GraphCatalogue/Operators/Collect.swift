import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let collect = OperatorDeclaration(
    "collect", "Emits all values as one list at completion; fails with overflow past 100,000.",
    example: OperatorExample("collect", in: "1-2|", out: "---(x|)", values: "{x: [1, 2]}")
  ) { input, context in
    input.folding(context, [JSONValue]()) { list, payload, output in
      guard list.count < defaultHolding else { return output.send(error: .overflow(defaultHolding, in: "collect")) }
      list.append(payload.value)
    } result: {
      .array($0)
    }
  }
  .alsoKnown(as: "toArray", "to list")
}
