internal import JSON

/// A value as it is printed.
enum ValueText {
  /// Its JSON as the daemon sent it; with `isRaw` a string without quotes and escapes.
  static func bytes(_ value: RawJSON?, isRaw: Bool) -> [UInt8] {
    guard let value else { return [] }
    if isRaw, case .string(let string) = value.value.plain { return Array(string.utf8) }
    return value.bytes
  }

  static let option = Command.Option(name: "raw", letter: "r", doc: "print strings without quotes and escapes")
}
