/// A scan of an array in a validated text, element by element.
///
/// It reads each byte once, and parses numbers, strings and words alone: nothing is allocated for the parts of an array
/// or object among the elements.
struct ArrayElements: ~Copyable {
  private var place = 1
  private var outline = Outline()

  /// Returns the next element of the array; `nil` after the last one.
  mutating func next(of text: Span<UInt8>) -> Payload? {
    passSpace(text)
    if text[place] == UInt8(ascii: "]") { return nil }
    let start = place
    let isContainer = text[place].opensContainer
    if isContainer { passContainer(text) } else { passScalar(text) }
    let element = text.extracting(start..<place)
    passSpace(text)
    if text[place] == UInt8(ascii: ",") { place += 1 }
    return isContainer ? .raw(RawJSON(validated: element, noting: &outline)) : .value(scalar(element))
  }

  private mutating func scalar(_ element: Span<UInt8>) -> JSONValue {
    guard PlainValue.fills(element, maximumDepth: 1, outline: &outline),
      let value = element.withUnsafeBytes({ PlainScalar.value(of: $0) })
    else { return JSONValue(validated: element) }
    return value
  }

  private mutating func passSpace(_ text: Span<UInt8>) { while text[place] <= UInt8(ascii: " ") { place += 1 } }

  private mutating func passScalar(_ text: Span<UInt8>) {
    if text[place] == UInt8(ascii: "\"") { return passString(text) }
    while text[place] > UInt8(ascii: " "), text[place] != UInt8(ascii: ","), text[place] != UInt8(ascii: "]") {
      place += 1
    }
  }

  private mutating func passContainer(_ text: Span<UInt8>) {
    var depth = 0
    repeat {
      let byte = text[place]
      if byte == UInt8(ascii: "\"") {
        passString(text)
        continue
      }
      if byte.opensContainer { depth += 1 }
      if byte.closesContainer { depth -= 1 }
      place += 1
    } while depth > 0
  }

  private mutating func passString(_ text: Span<UInt8>) {
    place += 1
    while text[place] != UInt8(ascii: "\"") { place += text[place] == UInt8(ascii: "\\") ? 2 : 1 }
    place += 1
  }
}
