/// Anything that a diagnostic can point at.
package protocol Placed {
  var place: Place { get }
  /// The number of columns of the line to underline, at least 1.
  var length: Int { get }
}

extension Place: Placed {
  package var place: Place { self }
  package var length: Int { 1 }
}
