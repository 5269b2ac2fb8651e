/// A number that a collector of metrics gets, with its name there and its meaning.
package struct Metric: Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge, summary, info
  }

  /// In the daemon's answer.
  package let key: String
  /// Without the suffix that counters have; with the unit, if there is one.
  package let name: String
  package let kind: Kind
  package let help: String
  package let unit: String?

  package init(key: String, name: String, kind: Kind, help: String, unit: String? = nil) {
    self.key = key
    self.name = name
    self.kind = kind
    self.help = help
    self.unit = unit
  }

  /// The name of its values.
  var sampleName: String {
    switch kind {
    case .counter: name + "_total"
    case .info: name + "_info"
    case .gauge, .summary: name
    }
  }
}
