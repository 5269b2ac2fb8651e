import Base
import Expressions
import GraphEngine
import GraphModel
import JSON
import Signals

/// The treatment of a key without a case if there is no default.
enum UnmatchedPolicy: String, WordParameter {
  /// The signal fails with `no_matching_case`.
  case fail
  /// The current case continues.
  case ignore
}

extension SourceDeclaration {
  static let `switch` = SourceDeclaration(
    "switch", "Follows the signal selected by the latest value of another.", kind: .derived,
    Parameter<SignalReference>("on", "the selector: its strings, or other values as JSON text, are the keys"),
    Parameter<SignalCases>("cases", "the signals by key"),
    Parameter<SignalReference?>("default", "the signal for all other values", initial: .some(nil)),
    Parameter<UnmatchedPolicy?>(
      "unmatched", "at a value without a case, fail (the default) or ignore it", initial: .some(nil)),
    dependence: .memory,
    advice: { _, cases, otherwise, unmatched in
      // With both cases the key is a boolean, so no other key is possible.
      if otherwise != nil || unmatched != nil || cases.all.count(where: { ["true", "false"].contains($0.key) }) == 2 {
        return nil
      }
      return "a value without a case fails the signal; add default, or set unmatched"
    }
  ) { context, keys, cases, otherwise, unmatched in
    let all = cases.all.map { (key: $0.key, recipe: context.choice(of: $0.signal)) }
    let choices = Dictionary(all.map { (ExactText($0.key), $0.recipe) }) { first, _ in first }
    let fallback = otherwise.map(context.choice)
    let references = cases.references + otherwise.references
    return context.choosing(by: context.input(of: keys), among: references, .latest) { payload, output in
      let isFormer = context.rules < .third
      let key = isFormer ? payload.value.formerKey : payload.value.stringText
      let found = isFormer ? all.first { $0.key == key }?.recipe : choices[ExactText(key)]
      if let chosen = found ?? fallback { return chosen }
      if unmatched != .ignore { output.send(error: .noMatchingCase(key)) }
      return nil
    }
  }
  .alsoKnown(as: "case", "match", "select", "route", "choose")
}

extension JSONValue {
  /// The key of a case by the first and the second rules.
  fileprivate var formerKey: String {
    if case .string(let text) = plain { text } else { plain.description }
  }
}

extension SignalFailure {
  fileprivate static func noMatchingCase(_ key: String) -> SignalFailure {
    SignalFailure(code: "no_matching_case", message: "no case for \(key.prefix(100)), and no default")
  }
}
