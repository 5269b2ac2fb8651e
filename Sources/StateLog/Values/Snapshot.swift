/// The state after a commit, where recovery starts.
package struct Snapshot: Sendable, Equatable {
  /// The number of the last commit included; 0 before the first.
  package let number: UInt64
  /// The time, in microseconds since 1970.
  package let time: Int64
  /// The rolling hash of all events up to it.
  package let hash: UInt64
  /// The configuration of the following commits, opaque to this layer.
  package let configuration: [UInt8]
  /// The encoded state, opaque to this layer.
  package let state: [UInt8]

  package init(number: UInt64, time: Int64, hash: UInt64, configuration: [UInt8], state: [UInt8]) {
    self.number = number
    self.time = time
    self.hash = hash
    self.configuration = configuration
    self.state = state
  }
}
