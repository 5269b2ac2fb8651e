package import JSON

extension Reader {
  /// Reads a value for a signal to emit, and reports one over the size limit.
  package func literal() -> JSONValue? {
    guard let value = value() else { return nil }
    guard Payload.value(value).isWithin(bytes: context.valueLimit) else {
      problems.error("value exceeds \(SizeText.written(context.valueLimit)) (limits.value)", at: node)
      return nil
    }
    return value
  }
}
