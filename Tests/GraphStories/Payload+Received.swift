package import JSON

extension Payload {
  /// Returns a value as received from a client.
  package static func received(_ json: String) -> Payload {
    var parser = JSONParser()
    var outline = Outline()
    let bytes = Array(json.utf8)
    precondition(parser.isValue(bytes.span, outline: &outline), "\(json) is a value")
    return .raw(RawJSON(validated: bytes.span, outline: outline))
  }
}
