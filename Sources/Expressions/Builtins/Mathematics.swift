internal import Glibc
internal import JSON

/// The C library's mathematical functions.
extension Builtin {
  static let mathematics: [Builtin] =
    unary.map { function($0.0, $0.1) } + binary.map { function($0.0, $0.1) } + [
      Builtin(
        "fma", ["x", "y", "z"], "x · y + z, rounded once.", Example("fma(2; 3; 4)", "null", "10"),
        .value3 { _, x, y, z, _ throws(ExpressionError) in .number(fma(try real(x), try real(y), try real(z))) }),
      Builtin(
        "frexp", [], "The mantissa and the binary exponent.", Example("frexp", "10", "[0.625,4]"),
        .value { input, _ throws(ExpressionError) in
          let number = try real(input)
          let (mantissa, exponent) = frexp(number)
          // Swift's frexp loses the sign.
          return .array([.number(copysign(mantissa, number)), .number(Double(exponent))])
        }),
      Builtin(
        "modf", [], "The fraction and the whole part.", Example("modf", "1.5", "[0.5,1]"),
        .value { input, _ throws(ExpressionError) in
          let number = try real(input)
          if number.isNaN { return .array([.number(.nan), .number(.nan)]) }
          let (whole, fraction) = modf(number)
          return .array([.number(fraction), .number(whole)])
        }),
      Builtin(
        "lgamma_r", [], "The logarithm of the gamma function, and its sign.", Example("lgamma_r", "1", "[0,1]"),
        .value { input, _ throws(ExpressionError) in
          let number = try real(input)
          let sign: Double = tgamma(number) < 0 ? -1 : 1
          return .array([.number(lgamma(number)), .number(sign)])
        }),
    ]

  private static let unary: [(String, @Sendable (Double) -> Double)] = [
    ("floor", { $0.rounded(.down) }), ("ceil", { $0.rounded(.up) }),
    ("round", { $0.rounded(.toNearestOrAwayFromZero) }), ("trunc", { $0.rounded(.towardZero) }),
    ("rint", { rint($0) }), ("nearbyint", { nearbyint($0) }), ("sqrt", { $0.squareRoot() }), ("fabs", { fabs($0) }),
    ("cbrt", { cbrt($0) }), ("exp", { exp($0) }), ("exp2", { exp2($0) }), ("exp10", { pow(10, $0) }),
    ("pow10", { pow(10, $0) }), ("expm1", { expm1($0) }), ("log", { log($0) }), ("log2", { log2($0) }),
    ("log10", { log10($0) }), ("log1p", { log1p($0) }), ("logb", { logb($0) }), ("sin", { sin($0) }),
    ("cos", { cos($0) }), ("tan", { tan($0) }), ("asin", { asin($0) }), ("acos", { acos($0) }),
    ("atan", { atan($0) }), ("sinh", { sinh($0) }), ("cosh", { cosh($0) }), ("tanh", { tanh($0) }),
    ("asinh", { asinh($0) }), ("acosh", { acosh($0) }), ("atanh", { atanh($0) }), ("gamma", { lgamma($0) }),
    ("lgamma", { lgamma($0) }), ("tgamma", { tgamma($0) }), ("erf", { erf($0) }), ("erfc", { erfc($0) }),
    ("j0", { j0($0) }), ("j1", { j1($0) }), ("y0", { y0($0) }), ("y1", { y1($0) }),
    ("significand", { $0.isFinite && $0 != 0 ? scalbn($0, -Int($0.exponent)) : $0 }),
  ]

  private static let binary: [(String, @Sendable (Double, Double) -> Double)] = [
    ("pow", { pow($0, $1) }), ("atan2", { atan2($0, $1) }), ("fmod", { fmod($0, $1) }),
    ("hypot", { hypot($0, $1) }), ("copysign", { copysign($0, $1) }), ("drem", { remainder($0, $1) }),
    ("remainder", { remainder($0, $1) }), ("fdim", { fdim($0, $1) }), ("fmax", { fmax($0, $1) }),
    ("fmin", { fmin($0, $1) }), ("nextafter", { nextafter($0, $1) }), ("nexttoward", { nextafter($0, $1) }),
    ("ldexp", { scaled($0, $1) }), ("scalb", { scaled($0, $1) }), ("scalbln", { scaled($0, $1) }),
  ]

  private static func function(_ name: String, _ body: @escaping @Sendable (Double) -> Double) -> Builtin {
    let result = JSONValue.number(body(1)).description
    return Builtin(
      name, [], "The C library's \(name).", Example(name, "1", result),
      .value { input, _ throws(ExpressionError) in .number(body(try real(input))) })
  }

  private static func function(_ name: String, _ body: @escaping @Sendable (Double, Double) -> Double) -> Builtin {
    let result = JSONValue.number(body(2, 3)).description
    return Builtin(
      name, ["x", "y"], "The C library's \(name).", Example("\(name)(2; 3)", "null", result),
      .value2 { _, x, y, _ throws(ExpressionError) in .number(body(try real(x), try real(y))) })
  }

  private static func scaled(_ number: Double, _ exponent: Double) -> Double {
    scalbn(number, Int(max(-10_000, min(10_000, exponent.isNaN ? 0 : exponent))))
  }

  private static func real(_ value: JSONValue) throws(ExpressionError) -> Double {
    guard let number = value.asNumber else { throw .badValue("\(value.described) number required") }
    return number
  }
}
