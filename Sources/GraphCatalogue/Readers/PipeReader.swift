import Base
import GraphModel

/// Reads the list of operators after a source.
struct PipeReader {
  private let node: ConfigNode
  private let reader: DeclarationReader

  init(_ node: ConfigNode, _ reader: DeclarationReader) {
    self.node = node
    self.reader = reader
  }

  /// Returns the operators in order, or `nil` after reporting every error in them.
  func read() -> [any PreparedOperator]? {
    guard let items = node.elements else {
      reader.problems.error("a pipe must be a list of operators, each after a dash", at: node)
      return nil
    }
    let operators = items.map(read)
    return operators.contains { $0 == nil } ? nil : operators.compactMap(\.self)
  }

  private func read(_ item: ConfigNode) -> (any PreparedOperator)? {
    let name: ConfigNode
    let argument: ConfigNode?
    switch item.content {
    case .scalar:
      (name, argument) = (item, nil)
    case .mapping(let entries) where entries.count == 1:
      (name, argument) = (entries[0].key, entries[0].value)
    case .mapping(let entries) where entries.count > 1:
      reader.problems.error(
        "one operator per item: put a dash before \"\(entries[1].name)\"", at: entries[1].key,
        related: .init("the item's operator", at: entries[0].key.place))
      for entry in entries where Catalogue.operator(named: entry.name) != nil { _ = prepare(entry.key, entry.value) }
      return nil
    case .mapping, .sequence:
      reader.problems.error("an item of a pipe must be an operator: \"name\" or \"name: parameter\"", at: item)
      return nil
    }
    return prepare(name, argument)
  }

  private func prepare(_ name: ConfigNode, _ argument: ConfigNode?) -> (any PreparedOperator)? {
    let word = name.scalar?.text ?? ""
    guard let declaration = Catalogue.operator(named: word) else {
      let known = Catalogue.operators.map(\.name)
      reader.unknown("operator", word, at: name, among: known)
      // The errors in its parameters are those of the operator that is meant.
      if let argument, !argument.isAbsent, let meant = Suggestion.likely(for: word, among: known) {
        _ = prepare(ConfigNode.Entry(key: name, value: name).named(meant).key, argument)
      }
      return nil
    }
    return reader.problems.withExample("- \(declaration.example.pipe)") {
      declaration.prepare(argument?.isAbsent == true ? nil : argument, name, reader)
    }
  }
}
