import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let property = SourceDeclaration(
    "property", "Holds a value from the start; clients and bindings send new ones.", kind: .property, isHeld: true,
    Parameter<JSONValue>("initial", "the first value"),
    Parameter<DeclaredType>("type", "the type of accepted values", initial: .any),
    Parameter<Bool>("endable", "allow clients to end it", initial: false),
    check: { initial, type, _ in
      type.mismatch(.value(initial)).map { "the initial value is \($0.found), not \($0.expected)" }
    }
  ) { context, initial, type, endable in
    context.inlet(type: type, endable: endable, first: .value(initial))
  }
  .alsoKnown(as: "BehaviorSubject", "MutableProperty", "variable", "setting", "parameter", "helper")
}
