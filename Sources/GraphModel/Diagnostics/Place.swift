/// A place in the configuration.
///
/// Places are ordered by file, in the order of reading, then by line and column.
package struct Place: Sendable {
  package let source: SourceFile
  /// From 1.
  package let line: Int
  /// From 1, in Unicode scalars.
  package let column: Int
  /// The origin of a node that a template or a parameter produced.
  package let origin: PlaceOrigin?

  package init(file source: SourceFile, line: Int, column: Int, origin: PlaceOrigin? = nil) {
    self.source = source
    self.line = line
    self.column = column
    self.origin = origin
  }

  package var file: String { source.name }

  /// Returns the place that many columns further right in this line.
  package func advanced(by columns: Int) -> Place {
    Place(file: source, line: line, column: column + columns, origin: origin)
  }

  /// Returns a copy with another origin.
  func reached(by origin: PlaceOrigin?) -> Place { Place(file: source, line: line, column: column, origin: origin) }
}

extension Place: Comparable {
  private var order: (Int, Int, Int) { (source.index, line, column) }

  package static func == (left: Place, right: Place) -> Bool { left.order == right.order }
  package static func < (left: Place, right: Place) -> Bool { left.order < right.order }
}

extension Place: CustomStringConvertible {
  /// `file:line:column`, as editors and terminals understand it.
  package var description: String { "\(file):\(line):\(column)" }
}
