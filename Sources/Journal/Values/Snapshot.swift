/// A snapshot is the state after a commit, from which recovery starts.
package struct Snapshot: Sendable, Equatable {
  /// The number of the last commit that it includes; 0 before the first.
  package let number: UInt64
  /// Its moment, in microseconds since 1970.
  package let time: Int64
  /// The rolling hash of all that was emitted up to it.
  package let hash: UInt64
  /// The configuration under which the commits that follow are recorded, in a form that this layer does not know.
  package let configuration: [UInt8]
  /// The state, in a form that this layer does not know.
  package let state: [UInt8]

  package init(number: UInt64, time: Int64, hash: UInt64, configuration: [UInt8], state: [UInt8]) {
    self.number = number
    self.time = time
    self.hash = hash
    self.configuration = configuration
    self.state = state
  }
}
