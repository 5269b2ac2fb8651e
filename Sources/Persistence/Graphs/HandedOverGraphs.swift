package import ReactiveCore

/// The state of durable graphs for a handover, in addition to their folder.
package struct HandedOverGraphs: StateCodable {
  /// The lazy signals of other graphs that they subscribe to; those count them as subscribers already.
  package let observed: [String]
  /// The lead of their clock over the daemon's.
  let clockOffset: Duration

  init(observed: [String], clockOffset: Duration) {
    self.observed = observed
    self.clockOffset = clockOffset
  }

  package func encode(to writer: inout StateEncoder) {
    observed.encode(to: &writer)
    clockOffset.encode(to: &writer)
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    observed = try [String](from: &reader)
    clockOffset = try Duration(from: &reader)
  }
}
