/// The way on which something at a place came into the configuration, where it is not simply read there.
package final class PlaceOrigin: Sendable {
  /// The event at the other place, for people: "used here".
  package let text: String
  /// The other place: where a template is used, or where the value of a parameter is put in.
  package let place: Extent
  /// How that place came in itself.
  package let outer: PlaceOrigin?

  init(_ text: String, at place: some Placed, outer: PlaceOrigin?) {
    self.text = text
    self.place = Extent(place)
    self.outer = outer
  }

  /// Of a thing that depends on a parameter without a value, since nobody uses the template: nothing is said of it.
  static let open = PlaceOrigin("", at: SourceFile(name: "", text: "").start, outer: nil)

  /// It and those behind it, from the nearest on.
  var chain: [PlaceOrigin] { [self] + (outer?.chain ?? []) }
}
