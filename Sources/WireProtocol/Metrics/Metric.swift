/// A metric: its name, its meaning, and its key in the daemon's statistics.
package struct Metric: Sendable {
  package enum Kind: String, Sendable {
    case counter, gauge, summary, info
  }

  /// The key in the daemon's answer.
  package let key: String
  /// The name without the suffix of counters, and with the unit if there is one.
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

  /// The name of its samples.
  var sampleName: String {
    switch kind {
    case .counter: name + "_total"
    case .info: name + "_info"
    case .gauge, .summary: name
    }
  }
}
