/// An input or a property as a target of values; no signal is computed from it.
package struct TargetReference: ParameterValue {
  package let name: String

  package static var typeName: String { "an input or a property" }
  package static var shape: ParameterShape { .target }
  package var targets: [String] { [name] }

  package static func read(_ node: ConfigNode, _ reading: ParameterReading) -> TargetReference? {
    let reader = reading.reader
    guard let name = reader.signalName(node) else { return nil }
    let (place, problems) = (Extent(node), reader.problems)
    reader.whenAllAreRead { signals in
      if let target = signals[name], target.kind == .input || target.kind == .property { return }
      problems.error("\"\(name)\" is no input and no property: nothing can be sent to it", at: place)
    }
    return TargetReference(name: name)
  }
}
