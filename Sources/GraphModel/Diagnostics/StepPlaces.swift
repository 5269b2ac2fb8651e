/// The places of the sources and operators of signals, collected on request during reading.
package struct StepPlaces: Sendable {
  private var places: [String: [Int: DeclarationPlace]] = [:]

  package init() {}

  mutating func note(_ signal: String, _ steps: [Int: DeclarationPlace]) { places[signal] = steps }

  /// - Parameter index: See `Ranks`.
  package subscript(signal: String, index: Int) -> DeclarationPlace? { places[signal]?[index] }
}
