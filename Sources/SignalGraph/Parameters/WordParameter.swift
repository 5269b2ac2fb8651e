/// A parameter that is one of a few words.
protocol WordParameter: ParameterValue, RawRepresentable<String>, CaseIterable {}

extension WordParameter {
  static var typeName: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
  static var shape: ParameterShape { .choice(allCases.map(\.rawValue)) }
  var defaultText: String? { rawValue }
  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Self? { reading.reader(node).choice() }
}

extension ErrorPolicy: WordParameter {}
extension LineEncoding: WordParameter {
  static let meaning = "the encoding of the lines"
}
extension ValueType: WordParameter {}
