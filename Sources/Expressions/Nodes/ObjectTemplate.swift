internal import JSON
internal import Synchronization

/// An object construction at the end of an expression, written as text directly.
///
/// `{id: .seq, value: .v}` is what most signals make for their subscribers. Members that only pass through are copied
/// from the text of the input, and the others become values only to be written: that takes a third of making the
/// object, measuring and printing it.
final class ObjectTemplate: Sendable {
  enum Outcome {
    case written
    /// The output is the input.
    case unchanged(RawJSON)
    /// There is no output.
    case empty
    /// The output must be made as a value.
    case impossible
  }

  private let form: ObjectForm
  private let values: [any Node]
  /// True if all members are copied from the input.
  private let isCopy: Bool
  /// True once an output contained an array or an object, as later ones probably will.
  private let isNested = Atomic(false)

  /// - Returns: `nil` for an object with too many or unusual keys.
  init?(_ entries: [(key: String, value: any Node)]) {
    guard let form = ObjectForm(entries.map { ($0, ($1 as? FieldNode)?.source ?? .computed) }) else { return nil }
    self.form = form
    values = entries.map(\.value)
    isCopy = values.allSatisfy { ($0 as? FieldNode)?.memberOfInput != nil }
  }

  /// Returns the output for an object with an outline, if nothing in it is computed; `nil` to try `write`.
  func copy(_ object: RawJSON, to text: ObjectText) -> RawJSON? {
    guard isCopy, !isNested.load(ordering: .relaxed) else { return nil }
    if ObjectText.isUnchanged(object, by: form) { return object }
    text.begin()
    guard case .written = text.copy(form, from: object) else { return nil }
    return text.end()
  }

  /// Writes the output for an input.
  func write(_ input: Payload, _ frame: Frame, to text: ObjectText) throws(ExpressionError) -> Outcome {
    if isNested.load(ordering: .relaxed) { return .impossible }
    try frame.step()
    let kept = input.outlined
    if let kept, ObjectText.isUnchanged(kept, by: form) { return .unchanged(kept) }
    text.begin()
    let value = isCopy && kept != nil ? .null : input.value
    while true {
      var outcome = ObjectText.Outcome.written
      if let kept {
        outcome = text.copy(form, from: kept)
      } else if case .object(let object) = value {
        outcome = text.copy(form, inside: object)
      }
      if case .written = outcome {
        if text.count == values.count { return .written }
        guard let output = try output(of: values[text.count], value, kept, frame) else { return .empty }
        outcome = text.append(form, output)
      }
      switch outcome {
      case .written: continue
      case .unusual: return .impossible
      case .nested:
        isNested.store(true, ordering: .relaxed)
        return .impossible
      }
    }
  }

  private func output(
    of node: any Node, _ input: JSONValue, _ kept: RawJSON?, _ frame: Frame
  ) throws(ExpressionError) -> JSONValue? {
    if let kept, node.readsText {
      let steps = frame.environment.account.steps
      if let number = try node.number(in: kept, frame) { return .number(number) }
      frame.environment.account.steps = steps
    }
    return try node.direct(input, frame)
  }
}
