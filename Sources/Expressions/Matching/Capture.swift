package import JSON

/// A regular expression with named groups as the members of an object, as by jq's `capture`, for many texts.
package final class Capture: Sendable {
  private let expression: RegularExpression
  /// The form of the object, if it can be written as text.
  private let form: ObjectForm?

  private static let stepsPerGroup = 6

  /// - Throws: The error in the pattern.
  package init(_ pattern: String) throws(ExpressionError) {
    let expression = try BoundedSearch.compiled(pattern, RegexOptions(.null), Environment())
    self.expression = expression
    form = expression.hasDistinctNames ? ObjectForm(expression.names.compactMap { $0.map { ($0, .computed) } }) : nil
  }

  /// Returns the groups of the first match, an unmatched one as null; `nil` without a match.
  ///
  /// - Parameter text: A text in UTF-8.
  package func first(
    in text: UnsafeBufferPointer<UInt8>, _ environment: Environment
  ) throws(ExpressionError) -> Payload? {
    let outer = environment.open()
    defer { environment.close(outer) }
    try environment.charge(characters: expression.length)
    let search = BoundedSearch(expression: expression, environment: environment)
    guard try search.hasMatch(in: text, from: 0) else { return nil }
    let groups = environment.searches
    var length = groups.group(0)?.upperBound ?? 0
    for index in 0..<groups.count { length += groups.group(index)?.count ?? 0 }
    try environment.step(Self.stepsPerGroup * groups.count)
    try environment.charge(characters: length)
    if let object = written(groups, of: text, to: environment.text), object.count <= environment.limits.bytes {
      return .raw(object)
    }
    return .value(.object(object(groups, of: text)))
  }

  /// Writes the groups as text; `nil` for a text that needs escapes.
  private func written(
    _ groups: SearchMemory, of text: UnsafeBufferPointer<UInt8>, to object: ObjectText
  ) -> RawJSON? {
    guard let form else { return nil }
    object.begin()
    for (index, name) in expression.names.enumerated() where name != nil {
      let part = groups.group(index + 1).map { UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[$0]) }
      guard case .written = object.append(form, string: part) else { return nil }
    }
    return object.end()
  }

  private func object(_ groups: SearchMemory, of text: UnsafeBufferPointer<UInt8>) -> JSONObject {
    var object = JSONObject()
    for (index, name) in expression.names.enumerated() {
      guard let name else { continue }
      object[name] = groups.group(index + 1).map { .string(String(decoding: text[$0], as: UTF8.self)) } ?? .null
    }
    return object
  }
}
