/// A location on the earth, in degrees; north and east are positive.
package struct GeographicLocation: Equatable, Sendable {
  package let latitude: Double
  package let longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
