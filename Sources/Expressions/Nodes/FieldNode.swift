internal import JSON

/// `.name`, on the outputs of the preceding node.
final class FieldNode: Node {
  // Small fields are adjacent: a graph has an object for each `.name` in it.
  private let target: any Node
  private let key: MemberKey
  private let targetIsInput: Bool
  private let isOptional: Bool
  let isDirect: Bool

  init(_ target: any Node, _ name: String, isOptional: Bool) {
    self.target = target
    key = MemberKey(name)
    self.isOptional = isOptional
    targetIsInput = target is IdentityNode
    isDirect = target.isDirect
  }

  /// The member that it reads from the input, if it does nothing else.
  var memberOfInput: MemberKey? { targetIsInput ? key : nil }

  /// The source of its output, if that is copied from the text of the input or of a member of it.
  var source: ObjectForm.Source {
    if targetIsInput { return .member(key) }
    if let object = (target as? FieldNode)?.memberOfInput { return .part(key, of: object) }
    return .computed
  }

  var readsText: Bool { targetIsInput }

  func number(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Double? { object.number(of: key) }

  func truth(in object: RawJSON, _ frame: Frame) throws(ExpressionError) -> Bool? { object.truth(of: key) }

  func direct(_ input: JSONValue, _ frame: Frame) throws(ExpressionError) -> JSONValue? {
    if targetIsInput { return try field(of: input) }
    guard let value = try target.direct(input, frame) else { return nil }
    return try field(of: value)
  }

  func each(_ input: JSONValue, _ frame: Frame, _ sink: Sink) throws(ExpressionError) -> Flow {
    try target.each(input, frame) { value throws(ExpressionError) in
      guard let output = try field(of: value) else { return .next }
      return try sink(output)
    }
  }

  func paths(_ input: Located, _ frame: Frame, _ sink: LocatedSink) throws(ExpressionError) -> Flow {
    try target.paths(input, frame) { place throws(ExpressionError) in
      try place.requirePlace(forAccessTo: .string(key.name))
      guard let output = try field(of: place.value) else { return .next }
      return try sink(place.child(.string(key.name), output))
    }
  }

  @inline(__always)
  private func field(of value: JSONValue) throws(ExpressionError) -> JSONValue? {
    switch value {
    case .object(let object): return object.value(of: key) ?? .null
    case .null: return .null
    default:
      if isOptional { return nil }
      throw Indexing.cannotIndex(value, .string(key.name))
    }
  }
}
