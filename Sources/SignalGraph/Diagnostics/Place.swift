/// A place in the configuration.
///
/// Places are ordered as a person reads: by file, in the order in which files were read, then by line and column.
package struct Place: Sendable {
  package let source: SourceFile
  /// From 1.
  package let line: Int
  /// From 1, in Unicode scalars.
  package let column: Int
  /// How what stands there came into the configuration, where a template brought it.
  package let origin: PlaceOrigin?

  package init(file source: SourceFile, line: Int, column: Int, origin: PlaceOrigin? = nil) {
    self.source = source
    self.line = line
    self.column = column
    self.origin = origin
  }

  /// The name of the file.
  package var file: String { source.name }

  /// The place some columns further on in the same line.
  package func advanced(by columns: Int) -> Place {
    Place(file: source, line: line, column: column + columns, origin: origin)
  }

  /// The same place, reached on a way.
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
