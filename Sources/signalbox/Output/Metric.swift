/// A number that a collector of metrics gets, with its name there and its meaning.
struct Metric {
  enum Kind: String {
    case counter, gauge, summary, info
  }

  /// In the daemon's answer.
  let key: String
  /// Without the suffix that counters have; with the unit, if there is one.
  let name: String
  let kind: Kind
  let help: String
  var unit: String?

  /// The name of its values.
  var sampleName: String {
    switch kind {
    case .counter: name + "_total"
    case .info: name + "_info"
    case .gauge, .summary: name
    }
  }
}
