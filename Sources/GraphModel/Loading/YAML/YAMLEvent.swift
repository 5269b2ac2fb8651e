/// A parsing event of libyaml.
struct YAMLEvent {
  enum Kind {
    case documentStart, documentEnd, streamStart, streamEnd
    case alias(String)
    case scalar(String, style: Scalar.Style)
    case sequenceStart, sequenceEnd
    case mappingStart, mappingEnd
  }

  let kind: Kind
  /// Offsets in the file, in Unicode scalars.
  let start: Int
  let end: Int
  let isOnOneLine: Bool
  var anchor: String?
  var tag: String?
}
