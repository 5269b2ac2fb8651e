/// A parameter that is one of a few words.
package protocol WordParameter: ParameterValue, RawRepresentable<String>, CaseIterable {}

extension WordParameter {
  package static var typeName: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
  package static var shape: ParameterShape { .choice(allCases.map(\.rawValue)) }
  package var defaultText: String? { rawValue }
  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> Self? { reading.reader(node).choice() }
}

extension ErrorPolicy: WordParameter {}
extension LineEncoding: WordParameter {
  package static let meaning = "the encoding of the lines"
}
