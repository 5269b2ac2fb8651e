/// The diagnostics of a configuration, ordered by place.
package struct Diagnostics: Error, Sendable {
  package let list: [Diagnostic]

  /// Sorts by place and removes duplicates, which arise when a node is used through several aliases.
  ///
  /// A place in a template is reported once, for the first use that shows an error there.
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

  /// Sorts by place; at one place, in the order of discovery.
  private static func sorted(_ found: [Diagnostic]) -> [Diagnostic] {
    found.enumerated()
      .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .map(\.element)
  }
}
