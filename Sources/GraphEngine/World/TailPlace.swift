package import Signals

/// The place that the reading of a followed file has reached, so that another process can resume there.
package struct TailPlace: Equatable, Sendable {
  /// The numbers that identify the file to the system, independent of its name.
  package let device: UInt64
  package let inode: UInt64
  /// The offset in bytes from the beginning.
  package let offset: Int64
  /// The fingerprint of the content before the offset; `nil` at the beginning, and in states of versions without it.
  package let fingerprint: Fingerprint?

  /// The hashes of the first and the last kilobyte before the offset.
  package struct Fingerprint: Equatable, Sendable {
    package let head: UInt64
    package let last: UInt64

    package init(head: UInt64, last: UInt64) {
      self.head = head
      self.last = last
    }
  }

  package init(device: UInt64, inode: UInt64, offset: Int64, fingerprint: Fingerprint? = nil) {
    self.device = device
    self.inode = inode
    self.offset = offset
    self.fingerprint = fingerprint
  }
}

extension TailPlace: StateCodable {
  /// Encodes the place.
  ///
  /// The complement of the offset, being negative, marks a fingerprint, unknown to the first format.
  package func encode(to writer: inout StateEncoder) {
    writer.number(device)
    writer.number(inode)
    guard let fingerprint else { return writer.signed(offset) }
    writer.signed(~offset)
    writer.bits(fingerprint.head)
    writer.bits(fingerprint.last)
  }

  package init(from reader: inout StateDecoder) throws(StateError) {
    let (device, inode, offset) = (try reader.number(), try reader.number(), try reader.signed())
    if offset >= 0 {
      self.init(device: device, inode: inode, offset: offset)
    } else {
      let fingerprint = Fingerprint(head: try reader.bits(), last: try reader.bits())
      self.init(device: device, inode: inode, offset: ~offset, fingerprint: fingerprint)
    }
  }
}
