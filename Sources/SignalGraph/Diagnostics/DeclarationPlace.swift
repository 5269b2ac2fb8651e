/// A place that is kept for as long as a configuration runs: that of a `Place`, without the text of its file.
package struct DeclarationPlace: Sendable {
  private let file: Shared<String>
  private let line: UInt32
  private let column: UInt32

  /// The place of what was read, or, if a template brought it, the place at which a person has used that template.
  init(_ placed: some Placed) {
    let place = placed.place.origin?.chain.last?.place.place ?? placed.place
    file = place.source.sharedName
    line = UInt32(clamping: place.line)
    column = UInt32(clamping: place.column)
  }
}

extension DeclarationPlace: CustomStringConvertible {
  /// `file:line:column`, as a diagnostic says it.
  package var description: String { "\(file.value):\(line):\(column)" }
}
