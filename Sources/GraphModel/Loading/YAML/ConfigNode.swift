import Base
import JSON

/// A node of a configuration file, with its place: a scalar, a sequence or a mapping.
package struct ConfigNode: Sendable, Placed {
  /// Deeper nesting is rejected: it would be an accident, and readers recurse.
  static let maximumDepth = 200

  package enum Content: Sendable {
    case scalar(Scalar)
    case sequence([ConfigNode])
    /// In the order of the file, without repeated keys.
    case mapping([Entry])
  }

  package struct Entry: Sendable {
    /// Always a scalar.
    package let key: ConfigNode
    package let value: ConfigNode

    package var name: String { key.scalar?.text ?? "" }

    package init(key: ConfigNode, value: ConfigNode) {
      self.key = key
      self.value = value
    }
  }

  /// The start of the node; for a node from an alias, the place of its anchor.
  package let place: Place
  package let length: Int
  package let content: Content
  /// The text with parameters, for a node from a template.
  let parameterised: ParameterisedScalar?

  package init(place: Place, length: Int = 1, content: Content) {
    self.init(place: place, length: length, content: content, parameterised: nil)
  }

  init(place: Place, length: Int, content: Content, parameterised: ParameterisedScalar?) {
    self.place = place
    self.length = max(length, 1)
    self.content = content
    self.parameterised = parameterised
  }
}

extension ConfigNode {
  package var scalar: Scalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  /// True for an empty value, as after the colon in `key:`.
  package var isAbsent: Bool { scalar?.isAbsent ?? false }

  /// True for null, explicit or empty.
  var isNull: Bool {
    guard let scalar else { return false }
    if case .success(.null) = CoreSchema.resolve(scalar.text, as: scalar) { return true }
    return false
  }

  package var elements: [ConfigNode]? {
    if case .sequence(let elements) = content { elements } else { nil }
  }

  package var entries: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// Returns the value of a key if the node is a mapping with that key.
  package subscript(key: String) -> ConfigNode? { entry(key)?.value }

  /// Returns the entry of a key if the node is a mapping with that key.
  package func entry(_ key: String) -> Entry? { entries?.first { $0.name.hasSameBytes(as: key) } }

  /// Returns the place of the byte at an offset in a scalar's text: exact where the file contains the text verbatim,
  /// else the start of the scalar.
  package func place(ofByte offset: Int) -> Place {
    guard let scalar, scalar.hasExactColumns else { return place }
    return place.advanced(by: scalar.columns(before: offset))
  }
}
