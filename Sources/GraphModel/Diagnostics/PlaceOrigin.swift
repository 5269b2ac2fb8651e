/// The origin of a node that is not read at its own place: the use of a template, or the argument of a parameter.
package final class PlaceOrigin: Sendable {
  /// The label of the other place in messages: "used here".
  package let text: String
  /// The other place: the use of a template, or the argument of a parameter.
  package let place: Extent
  /// The origin of that place itself.
  package let outer: PlaceOrigin?

  init(_ text: String, at place: some Placed, outer: PlaceOrigin?) {
    self.text = text
    self.place = Extent(place)
    self.outer = outer
  }

  /// The origin of text that depends on a parameter without a value, since the template is unused: no diagnostics
  /// there.
  static let open = PlaceOrigin("", at: SourceFile(name: "", text: "").start, outer: nil)

  /// This origin and its outer ones, from the nearest on.
  var chain: [PlaceOrigin] { [self] + (outer?.chain ?? []) }
}
