import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let mapTo = OperatorDeclaration(
    "map_to", "Emits the same value for each value.",
    Parameter<JSONValue>("value", "the value to emit", .only),
    dependence: .event,
    example: OperatorExample("map_to: 7", in: "1-2|", out: "7-7|"),
    advice: { value in
      guard case .string(let text) = value, text.first == ".", text.dropFirst().first?.isLetter == true else {
        return nil
      }
      return "this emits the string \(text); to emit a member, write map: \(text)"
    }
  ) { input, _, value in
    input.map { _ in .value(value) }
  }
  .alsoKnown(as: "mapReplace", "constant")
}
