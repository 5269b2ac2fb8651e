/// A position on the earth, in degrees; north and east are positive.
package struct GeographicPosition: Equatable, Sendable {
  package let latitude: Double
  package let longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
