import Expressions
import GraphEngine
import GraphModel
import JSON
import Signals

/// The target type of `cast`.
enum CastTarget: String, WordParameter {
  case integer, number, string, boolean
}

extension OperatorDeclaration {
  static let cast = OperatorDeclaration.each(
    "cast", "Converts values to a type, and rejects those that cannot be converted.",
    Parameter<CastTarget>("type", "the target type", .only),
    dependence: .event,
    example: OperatorExample("cast: number", in: "a-b-c|", out: "1-b--|", values: "{a: \"1\", b: 2, c: \"x\"}")
  ) { context, target in
    { payload, output in
      guard let converted = target.convert(payload.value) else {
        return context.refuse(
          .badValue(
            "\(payload.typeWithArticle) cannot be converted to \(target == .integer ? "an" : "a") \(target.rawValue)"),
          value: payload.value, output)
      }
      output.send(value: .value(converted))
    }
  }
  .alsoKnown(as: "decode", "parse", "to number", "toNumber", "as type")
}

extension CastTarget {
  fileprivate func convert(_ value: JSONValue) -> JSONValue? {
    switch self {
    case .number: number(value)
    case .integer: number(value).flatMap { $0.asNumber?.rounded() == $0.asNumber ? $0 : nil }
    case .string: string(value)
    case .boolean: boolean(value)
    }
  }

  private func number(_ value: JSONValue) -> JSONValue? {
    switch value.plain {
    case .number: return value
    case .bool(let bool): return .number(bool ? 1 : 0)
    case .string(let text):
      guard let parsed = try? JSONParser.value(onThisThread: Array(text.utf8).span), parsed.asNumber != nil else {
        return nil
      }
      return parsed
    default: return nil
    }
  }

  private func string(_ value: JSONValue) -> JSONValue {
    if case .string = value.plain { return value }
    return .string(value.description)
  }

  private func boolean(_ value: JSONValue) -> JSONValue? {
    switch value.plain {
    case .bool: value
    case .string("true"), .number(1): true
    case .string("false"), .number(0): false
    default: nil
    }
  }
}
