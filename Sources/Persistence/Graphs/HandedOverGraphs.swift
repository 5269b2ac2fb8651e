package import Signals

/// The state of durable graphs for a handover, in addition to their folder.
package struct HandedOverGraphs: StateRecord {
  /// The lazy signals of other graphs that they subscribe to; those count them as subscribers already.
  package let observed: [String]
  /// The lead of their clock over the daemon's.
  let clockOffset: Duration

  init(observed: [String], clockOffset: Duration) {
    self.observed = observed
    self.clockOffset = clockOffset
  }

  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    observed = try field(\.observed)
    clockOffset = try field(\.clockOffset)
  }
}
