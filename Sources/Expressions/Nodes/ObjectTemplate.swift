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
  /// True once an output contained an array or an object, as later ones probably will.
  private let isNested = Atomic(false)

  /// - Returns: `nil` for an object with too many or unusual keys.
  init?(_ entries: [(key: String, value: any Node)]) {
    guard let form = ObjectForm(entries.map { ($0, ($1 as? FieldNode)?.memberOfInput) }) else { return nil }
    self.form = form
    values = entries.map(\.value)
  }

  /// Writes the output for an input.
  func write(_ input: JSONValue, _ frame: Frame, to text: ObjectText) throws(ExpressionError) -> Outcome {
    if isNested.load(ordering: .relaxed) { return .impossible }
    try frame.step()
    let kept: RawJSON? = if case .object(let object) = input { object.text } else { nil }
    if let kept, ObjectText.isUnchanged(kept, by: form) { return .unchanged(kept) }
    text.begin()
    while true {
      var outcome = ObjectText.Outcome.written
      if let kept { outcome = text.copy(form, from: kept) }
      if outcome == .written {
        if text.count == values.count { return .written }
        guard let value = try values[text.count].direct(input, frame) else { return .empty }
        outcome = text.append(form, value)
      }
      if outcome == .nested { isNested.store(true, ordering: .relaxed) }
      if outcome != .written { return .impossible }
    }
  }
}
