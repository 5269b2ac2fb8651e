package import ReactiveCore

/// How far a file that is followed has been read, so that another process can go on from there.
package struct TailPlace: Equatable, Sendable {
  /// The numbers by which the system knows the file, whatever it is called now.
  package let device: UInt64
  package let inode: UInt64
  /// In bytes from its beginning.
  package let offset: Int64

  package init(device: UInt64, inode: UInt64, offset: Int64) {
    self.device = device
    self.inode = inode
    self.offset = offset
  }
}

extension TailPlace: Storable {
  package func store(in writer: inout StateWriter) {
    writer.number(device)
    writer.number(inode)
    writer.signed(offset)
  }

  package init(from reader: inout StateReader) throws(StateError) {
    self.init(device: try reader.number(), inode: try reader.number(), offset: try reader.signed())
  }
}
