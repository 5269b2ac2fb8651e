import JSON
import ReactiveCore

extension SourceDeclaration {
  static let tuple = SourceDeclaration(
    "tuple", "Emits each value of its signals as an object with one key, the signal's label.", kind: .derived,
    Parameter<SignalList>("signals", "a map of signals", .only),
    check: { $0.labels == nil ? "it needs a map, since its objects have the keys of the signals" : nil }
  ) { context, signals in
    let labelled = Swift.zip(signals.references, signals.labels ?? []).map { reference, label -> RenewableInput in
      context.input(of: reference).map { Payload.value(.object(JSONObject([(label, $0.value)]))) }
    }
    return context.merge(labelled)
  }
}
