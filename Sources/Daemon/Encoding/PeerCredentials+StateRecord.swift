package import Linux
package import Signals

extension PeerCredentials: StateRecord {
  package init(_ field: inout StateCoder<Self>) throws(StateError) {
    self.init(
      processID: try field(\.processID), userID: UInt32(truncatingIfNeeded: try field { Int($0.userID) }),
      groupID: UInt32(truncatingIfNeeded: try field { Int($0.groupID) }),
      groups: try field { $0.groups.map(Int.init) }.map { UInt32(truncatingIfNeeded: $0) })
  }
}
