package import JSON

/// The position that a subscription resumes at: a number, or for a pattern one position for each signal.
package enum Continuation: FieldValue, Equatable {
  /// The last value of a signal that a client has seen.
  package struct Place: Equatable, Sendable {
    package let seq: UInt64
    package let epoch: String

    package init(seq: UInt64, epoch: String) {
      self.seq = seq
      self.epoch = epoch
    }
  }

  case after(UInt64)
  /// The positions by signal name.
  case places([String: Place])

  /// Returns the position of a signal of a pattern.
  package func place(of signal: String) -> Place? { if case .places(let places) = self { places[signal] } else { nil } }

  package static var expectation: String { "an integer, or {SIGNAL: {\"seq\": …, \"epoch\": …}} for a pattern" }

  package init?(field: RawJSON) {
    if let number = UInt64(field: field) {
      self = .after(number)
      return
    }
    guard case .object(let object) = field.value else { return nil }
    var places: [String: Place] = [:]
    for member in object.members {
      guard let place = Place(member.value) else { return nil }
      places[member.key] = place
    }
    self = .places(places)
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .after(let number): writer.write(number)
    case .places(let places):
      let members = places.sorted { $0.key < $1.key }.map { name, place in
        (name, JSONValue.object(JSONObject([("seq", place.seq.json), ("epoch", .string(place.epoch))])))
      }
      writer.write(.object(JSONObject(members)))
    }
  }
}

extension Continuation.Place {
  fileprivate init?(_ value: JSONValue) {
    guard case .object(let object) = value.plain, object.members.count == 2,
      let number = object["seq"], let seq = UInt64(field: RawJSON(validated: Array(number.description.utf8))),
      case .string(let epoch)? = object["epoch"]?.plain
    else { return nil }
    self.init(seq: seq, epoch: epoch)
  }
}

extension UInt64 {
  /// The number with all its digits, even beyond the precision of a double.
  fileprivate var json: JSONValue {
    .verbatim(Verbatim(.number(Double(self)), text: String(self)))
  }
}
