/// Everything that is wrong with a configuration, ordered by place.
package struct Diagnostics: Error, Sendable {
  package let list: [Diagnostic]

  /// Sorts by place and leaves out repetitions, which a node that is used through several aliases brings.
  ///
  /// A place of a template is told of once, for the first use that shows a mistake there.
  package init(_ found: [Diagnostic]) {
    var list: [Diagnostic] = []
    for next in Self.sorted(found)
    where !list.reversed().prefix(while: { $0.place == next.place }).contains(where: {
      $0 == next || $0.severity == next.severity && $0.place.origin !== next.place.origin
    }) {
      list.append(next)
    }
    self.list = list
  }

  package var errors: [Diagnostic] { list.filter { $0.severity == .error } }
  package var warnings: [Diagnostic] { list.filter { $0.severity == .warning } }

  /// By place; at one place in the order in which they were found.
  private static func sorted(_ found: [Diagnostic]) -> [Diagnostic] {
    found.enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element)
  }
}
