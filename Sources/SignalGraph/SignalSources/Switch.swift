import JSON
import ReactiveCore

/// The way in which `switch` deals with a key that has no case, where there is no default.
enum UnmatchedPolicy: String, WordParameter {
  /// The signal fails with `no_matching_case`.
  case fail
  /// The running case goes on.
  case ignore
}

extension SourceDeclaration {
  static let `switch` = SourceDeclaration(
    "switch", "Passes on the signal that the latest value of another one chooses.", kind: .derived,
    Parameter<SignalReference>("on", "chooses by its values: strings, or other values by their JSON text"),
    Parameter<SignalCases>("cases", "the signals by the values that choose them"),
    Parameter<SignalReference?>("default", "the signal for all other values", initial: .some(nil)),
    Parameter<UnmatchedPolicy?>(
      "unmatched", "at a value without a case, fail (the default) or ignore it", initial: .some(nil)),
    advice: { _, _, otherwise, unmatched in
      guard otherwise == nil, unmatched == nil else { return nil }
      return "a value without a case ends it; add default, or say unmatched: ignore (or fail)"
    }
  ) { context, keys, cases, otherwise, unmatched in
    let choices = cases.signals.mapValues(context.choice)
    let fallback = otherwise.map(context.choice)
    let all = cases.references + otherwise.references
    return context.choosing(by: context.input(of: keys), among: all, .latest) { payload, output in
      let key = payload.value.key
      if let chosen = choices[key] ?? fallback { return chosen }
      if unmatched != .ignore { output.send(error: .noMatchingCase(key)) }
      return nil
    }
  }
}

extension JSONValue {
  /// The text by which it chooses a case.
  fileprivate var key: String {
    if case .string(let text) = plain { text } else { plain.description }
  }
}

extension SignalFailure {
  fileprivate static func noMatchingCase(_ key: String) -> SignalFailure {
    SignalFailure(code: "no_matching_case", message: "no case for \(key.prefix(100)), and no default")
  }
}
