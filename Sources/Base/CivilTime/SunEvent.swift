import Glibc

/// A moment of the day at which the sun passes a height.
package enum SunEvent: String, CaseIterable, Sendable {
  /// The sun is 6° below the horizon: civil twilight begins.
  case dawn
  /// The upper edge of the sun appears on a level horizon.
  case sunrise
  /// The upper edge of the sun disappears.
  case sunset
  /// The sun is 6° below the horizon: civil twilight ends.
  case dusk

  /// The angle between the zenith and the centre of the sun, in degrees.
  ///
  /// At sunrise and sunset the radius of the sun, 16 minutes of arc, and the usual refraction, 34, add to 90°.
  private var zenith: Double {
    switch self {
    case .sunrise, .sunset: 90.833
    case .dawn, .dusk: 96
    }
  }

  private var isInTheMorning: Bool { self == .dawn || self == .sunrise }

  /// Returns the moment around the solar noon of a day, in seconds since 1970; `nil` if the sun does not pass the height.
  ///
  /// The formulas are those of NOAA's solar calculator, after Jean Meeus, "Astronomical Algorithms". Up to latitudes of 65°
  /// they are right to a minute, as far as the weather allows.
  ///
  /// - Parameter day: A day number counted from 1970-01-01; the noon is that of the location.
  func moment(ofDay day: Int64, at location: GeographicLocation) -> Int64? {
    let meanNoon = (Double(day) + 0.5 - location.longitude / 360) * 86_400
    var moment = meanNoon
    // The sun moves on until the moment: each round starts with the result of the one before.
    for _ in 0..<3 {
      let sun = Sun(at: moment)
      guard let angle = sun.hourAngle(atZenith: zenith, latitude: location.latitude) else { return nil }
      moment = meanNoon - sun.equationOfTime + (isInTheMorning ? -angle : angle)
    }
    return Int64(moment.rounded())
  }
}

/// The sun as seen from the earth at a moment.
private struct Sun {
  /// The angle above the equator, in radians.
  private let declination: Double
  /// The apparent solar time minus the mean, in seconds.
  let equationOfTime: Double

  /// - Parameter seconds: The moment in seconds since 1970.
  init(at seconds: Double) {
    /// Julian centuries since 2000-01-01 12:00.
    let t = (seconds / 86_400 - 10_957.5) / 36_525
    let meanLongitude = radians(280.46646 + t * (36_000.76983 + t * 0.0003032))
    let anomaly = radians(357.52911 + t * (35_999.05029 - t * 0.0001537))
    let eccentricity = 0.016708634 - t * (0.000042037 + t * 0.0000001267)
    let centre =
      sin(anomaly) * (1.914602 - t * (0.004817 + t * 0.000014)) + sin(2 * anomaly) * (0.019993 - t * 0.000101)
      + sin(3 * anomaly) * 0.000289
    let node = radians(125.04 - t * 1934.136)
    let longitude = meanLongitude + radians(centre - 0.00569 - 0.00478 * sin(node))
    let meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60
    let obliquity = radians(meanObliquity + 0.00256 * cos(node))
    declination = asin(sin(obliquity) * sin(longitude))
    let y = tan(obliquity / 2) * tan(obliquity / 2)
    let angle =
      y * sin(2 * meanLongitude) - 2 * eccentricity * sin(anomaly)
      + 4 * eccentricity * y * sin(anomaly) * cos(2 * meanLongitude) - y * y / 2 * sin(4 * meanLongitude)
      - 1.25 * eccentricity * eccentricity * sin(2 * anomaly)
    equationOfTime = angle / (2 * .pi) * 86_400
  }

  /// Returns the time between noon and the passage of a height, in seconds; `nil` if the sun stays above or below it.
  func hourAngle(atZenith zenith: Double, latitude: Double) -> Double? {
    let latitude = radians(latitude)
    let cosine = cos(radians(zenith)) / (cos(latitude) * cos(declination)) - tan(latitude) * tan(declination)
    return abs(cosine) <= 1 ? acos(cosine) / (2 * .pi) * 86_400 : nil
  }
}

private func radians(_ degrees: Double) -> Double { degrees / 180 * .pi }
