import Base
import GraphEngine
import GraphModel
import JSON
import Signals

extension OperatorDeclaration {
  static let timestamp = OperatorDeclaration(
    "timestamp", "Adds its time of arrival to each value.",
    dependence: .event,
    example: OperatorExample(
      "timestamp", in: "-1|", out: "-x|", values: "{x: {at: \"1970-01-01T00:00:01.000000Z\", value: 1}}")
  ) { input, context in
    input.map { payload in
      let microseconds = Int64((context.now * 1e6).rounded())
      return .value(["at": .string(RFC3339.text(microseconds: microseconds)), "value": payload.value])
    }
  }
  .alsoKnown(as: "time", "date")
}
