import JSON

/// The arguments of one use of a template: a node for each parameter.
final class TemplateArguments: Sendable {
  struct Argument: Sendable {
    let node: ConfigNode
    /// True when the parameter has no value, since the unused template is only checked.
    let isOpen: Bool
    let size: ConfigNode.Size

    init(_ node: ConfigNode, isOpen: Bool = false) {
      self.node = node
      self.isOpen = isOpen
      size = ConfigNode.Size(of: node)
    }
  }

  /// The name of the template.
  let template: String
  /// The names of the parameters, in order.
  let names: [String]
  /// The origin of the template's content in this expansion; `nil` if the content does not enter the configuration.
  let origin: PlaceOrigin?
  private let values: [String: Argument]

  init(_ values: [String: Argument], of template: TemplateDeclaration, origin: PlaceOrigin?) {
    self.values = values
    self.template = template.name
    names = template.parameters.map(\.name)
    self.origin = origin
  }

  subscript(name: String) -> Argument? { values[name] }

  /// Checks for parameters without a value.
  func isOpen(_ names: some Sequence<String>) -> Bool { names.contains { values[$0]?.isOpen == true } }
}

extension ConfigNode {
  /// The size of a node with all its descendants.
  struct Size: Sendable {
    private(set) var nodes = 1
    private(set) var bytes = 0
    private(set) var height = 1

    init(of node: ConfigNode) {
      switch node.content {
      case .scalar(let scalar): bytes = scalar.text.utf8.count
      case .sequence(let elements): for element in elements { add(Size(of: element)) }
      case .mapping(let entries):
        for entry in entries {
          add(Size(of: entry.key))
          add(Size(of: entry.value))
        }
      }
    }

    private mutating func add(_ part: Size) {
      nodes += part.nodes
      bytes += part.bytes
      height = max(height, 1 + part.height)
    }
  }
}
