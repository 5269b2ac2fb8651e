import Base

extension GeographicLocation {
  static let keys = ["latitude", "longitude"]

  /// Reads `{latitude: DEGREES, longitude: DEGREES}`; `nil` after an error.
  init?(reading reader: MappingReader) {
    let latitude = reader.required("latitude")?.degrees(to: 90)
    let longitude = reader.required("longitude")?.degrees(to: 180)
    guard let latitude, let longitude else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension Reader {
  /// Reads an angle of at most that many degrees in either direction.
  fileprivate func degrees(to most: Double) -> Double? {
    number().flatMap { within(-most...most, $0) { "\(Int($0))" } }
  }
}
