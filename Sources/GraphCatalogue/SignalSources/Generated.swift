import GraphEngine
import GraphModel
import JSON
import Signals

// Sources without external input, which emit all their events when the signal starts.

extension SourceDeclaration {
  static let value = SourceDeclaration(
    "value", "Emits one value and completes.", kind: .source,
    Parameter<JSONValue>("value", "the value to emit", .only)
  ) { context, value in
    context.generate([.value(value)], then: .completed)
  }
  .alsoKnown(as: "just", "return", "constant")

  static let values = SourceDeclaration(
    "values", "Emits the listed values and completes.", kind: .source,
    Parameter<[JSONValue]>("values", "the values to emit", .only)
  ) { context, values in
    context.generate(values.map { .value($0) }, then: .completed)
  }
  .alsoKnown(as: "of", "list", "just", "return")

  static let empty = SourceDeclaration(
    "empty", "Completes at once.", kind: .source, Parameter<Presence>("empty", "write true", .only)
  ) { context, _ in
    context.generate([], then: .completed)
  }

  static let never = SourceDeclaration(
    "never", "Never emits and never ends.", kind: .source, Parameter<Presence>("never", "write true", .only)
  ) { context, _ in
    context.generate([], then: nil)
  }

  static let fail = SourceDeclaration(
    "fail", "Fails at once.", kind: .source,
    Parameter<String>("code", "the code of the failure"),
    Parameter<String>("message", "the message of the failure", initial: "")
  ) { context, code, message in
    context.generate([], then: .failed(SignalFailure(code: code, message: message)))
  }
  .alsoKnown(as: "throw", "throwError", "error")

  static let range = SourceDeclaration(
    "range", "Emits consecutive integers and completes.", kind: .source,
    Parameter<Int>("start", "the first integer", minimum: -1_000_000_000_000, maximum: 1_000_000_000_000),
    Parameter<Int>("count", "the number of integers")
  ) { context, start, count in
    context.generate((start..<start + count).map { .value(.number(Double($0))) }, then: .completed)
  }
}
