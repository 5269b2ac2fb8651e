internal import JSON

/// A member of a line.
struct LineMember {
  let key: String
  let text: RawJSON
}

extension [LineMember] {
  /// Reads the members at their places in a valid line.
  ///
  /// - Parameter outline: is overwritten.
  init(of line: Span<UInt8>, at places: [JSONMember], noting outline: inout Outline) {
    self = []
    reserveCapacity(places.count)
    for place in places {
      let text = RawJSON(validated: line.extracting(place.value), noting: &outline)
      append(LineMember(key: line.key(place.key), text: text))
    }
  }
}
