import CYAML

/// The parsing events of a YAML text, in order (libyaml's `yaml_parser_parse`).
///
/// libyaml decides only the syntax; `CoreSchema` interprets plain scalars.
final class YAMLEvents {
  private let source: SourceFile
  private let text: UnsafeMutableBufferPointer<UInt8>
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)

  init(_ source: SourceFile) {
    self.source = source
    text = .allocate(capacity: source.text.utf8.count)
    _ = text.initialize(from: source.text.utf8)
    // Fails only without memory, when Swift's own allocations trap as well.
    precondition(yaml_parser_initialize(parser) == 1, "out of memory")
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    text.deallocate()
  }

  func next() throws(SyntaxError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw YAMLComplaint(parser.pointee, in: source).error }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(event)
  }
}

extension YAMLEvent {
  fileprivate init(_ event: yaml_event_t) {
    let (kind, anchor, tag) = Self.content(of: event)
    self.init(
      kind: kind, start: event.start_mark.index, end: event.end_mark.index,
      isOnOneLine: event.start_mark.line == event.end_mark.line, anchor: anchor, tag: tag)
  }

  private static func content(of event: yaml_event_t) -> (Kind, anchor: String?, tag: String?) {
    let data = event.data
    switch event.type {
    case YAML_STREAM_START_EVENT: return (.streamStart, nil, nil)
    case YAML_DOCUMENT_START_EVENT: return (.documentStart, nil, nil)
    case YAML_DOCUMENT_END_EVENT: return (.documentEnd, nil, nil)
    case YAML_ALIAS_EVENT: return (.alias(string(data.alias.anchor) ?? ""), nil, nil)
    case YAML_SCALAR_EVENT:
      let bytes = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
      let kind = Kind.scalar(String(decoding: bytes, as: UTF8.self), style: style(data.scalar.style))
      return (kind, string(data.scalar.anchor), string(data.scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      return (.sequenceStart, string(data.sequence_start.anchor), string(data.sequence_start.tag))
    case YAML_SEQUENCE_END_EVENT: return (.sequenceEnd, nil, nil)
    case YAML_MAPPING_START_EVENT:
      return (.mappingStart, string(data.mapping_start.anchor), string(data.mapping_start.tag))
    case YAML_MAPPING_END_EVENT: return (.mappingEnd, nil, nil)
    default: return (.streamEnd, nil, nil)
    }
  }

  private static func style(_ style: yaml_scalar_style_t) -> Scalar.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
    case YAML_LITERAL_SCALAR_STYLE: .literal
    case YAML_FOLDED_SCALAR_STYLE: .folded
    default: .plain
    }
  }

  private static func string(_ pointer: UnsafeMutablePointer<UInt8>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
