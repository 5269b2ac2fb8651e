import JSON

extension Reader {
  /// A value that the file gives for a signal to emit: one that is not too large for that.
  func literal() -> JSONValue? {
    guard let value = value() else { return nil }
    guard Payload.value(value).isWithin(bytes: context.limits.value) else {
      problems.error("a value of more than \(SizeText.written(context.limits.value)) (limits.value)", at: node)
      return nil
    }
    return value
  }
}
