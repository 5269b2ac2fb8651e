import Linux
import ReactiveCore

extension PeerCredentials {
  func encode(to writer: inout StateEncoder) {
    Int(processID).encode(to: &writer)
    Int(userID).encode(to: &writer)
    Int(groupID).encode(to: &writer)
    groups.map(Int.init).encode(to: &writer)
  }

  init(from reader: inout StateDecoder) throws(StateError) {
    self.init(
      processID: Int32(truncatingIfNeeded: try Int(from: &reader)),
      userID: UInt32(truncatingIfNeeded: try Int(from: &reader)),
      groupID: UInt32(truncatingIfNeeded: try Int(from: &reader)),
      groups: try [Int](from: &reader).map { UInt32(truncatingIfNeeded: $0) })
  }
}
