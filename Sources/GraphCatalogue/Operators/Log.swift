import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let log = OperatorDeclaration(
    "log", "Logs each value and the ending, and passes them on.",
    Parameter<String?>("text", "the text to write before the value", .only, initial: .some(nil)),
    dependence: .event,
    example: OperatorExample("log: seen", in: "1-|", out: "1-|")
  ) { input, context, text in
    let prefix = text.map { "\($0): " } ?? ""
    return input.through(
      value: { payload, output in
        context.world.trace("\(prefix)\(payload)", signal: context.signal.name)
        output.send(value: payload)
      },
      ending: { ending, output in
        context.world.trace("\(prefix)\(JSONValue(ending))", signal: context.signal.name)
        output.send(ending)
      })
  }
  .alsoKnown(as: "print", "debug", "tap", "trace")
}
