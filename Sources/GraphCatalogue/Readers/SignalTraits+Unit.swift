import GraphModel
package import JSON

extension SignalTraits {
  /// Returns the unit that a signal's declaration gives, also under its deprecated name.
  package static func unitOfMeasurement(in declaration: JSONObject) -> String? {
    let former = Catalogue.sources(of: declaration).contains { $0.name == SignalTraits.formerUnit }
    for key in ["unit_of_measurement"] + (former ? [] : [SignalTraits.formerUnit]) {
      if case .string(let unit)? = declaration[key]?.plain, !unit.isEmpty { return unit }
    }
    return nil
  }
}
