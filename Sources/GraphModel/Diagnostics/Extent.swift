/// A part of a line for a diagnostic, without the node at that place.
package struct Extent: Placed, Sendable {
  package let place: Place
  package let length: Int

  package init(_ placed: some Placed) {
    place = placed.place
    length = placed.length
  }

  init(_ placed: some Placed, reachedBy origin: PlaceOrigin?) {
    place = placed.place.reached(by: origin)
    length = placed.length
  }
}
