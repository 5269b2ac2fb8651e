import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let tuple = SourceDeclaration(
    "tuple", "Emits each value of its signals as an object with one key, the signal's label.", kind: .derived,
    Parameter<SignalList>("signals", "a map of signals", .only),
    dependence: .event,
    check: { $0.labels == nil ? "tuple needs a map: the keys label its values" : nil }
  ) { context, signals in
    let labelled = Swift.zip(signals.references, signals.labels ?? []).map { reference, label -> RestartableInput in
      context.input(of: reference).map { Payload.value(.object(JSONObject([(label, $0.value)]))) }
    }
    return context.merge(labelled)
  }
}
