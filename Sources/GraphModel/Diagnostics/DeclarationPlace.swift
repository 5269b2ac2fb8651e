/// The place of a declaration, kept while a configuration runs: a `Place` without the lines of its file.
package struct DeclarationPlace: Sendable {
  let file: Shared<SourceText>
  let line: UInt32
  let column: UInt32

  /// The node's own place or, for the result of a template, the place where the configuration uses that template.
  package init(_ placed: some Placed) {
    let place = placed.place.origin?.chain.last?.place.place ?? placed.place
    file = place.source.shared
    line = UInt32(clamping: place.line)
    column = UInt32(clamping: place.column)
  }
}

extension DeclarationPlace: CustomStringConvertible {
  /// `file:line:column`, as in diagnostics.
  package var description: String { "\(file.value.name):\(line):\(column)" }
}
