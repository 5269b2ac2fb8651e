package import Base

extension Reader {
  /// Reads a duration such as `250ms` or `1m30s`.
  package func duration(
    in range: ClosedRange<Duration> = .zero...DurationText.longest, to precision: DurationText.Precision = .milliseconds
  ) -> Duration? {
    let expected = "a duration such as 250ms, 2s or 1m30s"
    guard let scalar = resolved(expected: expected) else { return nil }
    guard let duration = DurationText.duration(scalar.text, to: precision) else {
      if DurationText.isTooLong(scalar.text, to: precision) {
        refuse(beyond: DurationText.written(range.upperBound), isTooSmall: false)
        return nil
      }
      refuse(
        expected: DurationText.expectation(for: scalar.text) ?? expected,
        suggestion: DurationText.suggestion(for: scalar.text))
      return nil
    }
    return within(range, duration, written: DurationText.written)
  }

  /// Reads a size in bytes, such as `64KiB` or `4096`.
  package func size(in range: ClosedRange<Int> = 0 ... .max) -> Int? {
    let expected = "a size such as 4096, 64KiB or 1MiB"
    let bounds = (SizeText.written(range.lowerBound), SizeText.written(range.upperBound))
    guard let scalar = resolved(expected: expected, bounds: bounds) else { return nil }
    guard let size = SizeText.size(scalar.text) else {
      if SizeText.isTooLarge(scalar.text) {
        refuse(beyond: bounds.1, isTooSmall: false)
        return nil
      }
      refuse(expected: expected, suggestion: SizeText.suggestion(for: scalar.text))
      return nil
    }
    return within(range, size, written: SizeText.written)
  }

  /// Reads the permissions of a file in octal, such as `"0660"`.
  package func mode() -> UInt32? {
    let expected = "permissions in octal, such as \"0660\""
    guard let scalar = resolved(expected: expected) else { return nil }
    let digits = scalar.text.hasPrefix("0o") ? scalar.text.dropFirst(2) : scalar.text[...]
    // A plain 660 is a decimal number in YAML, so its intended base is ambiguous.
    let isOctal = scalar.isString || scalar.text.hasPrefix("0")
    if isOctal, digits.utf8.count <= 4, digits.first != "+", let mode = UInt32(digits, radix: 8), mode <= 0o777 {
      return mode
    }
    refuse(expected: expected)
    return nil
  }
}
