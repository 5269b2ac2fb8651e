import CFaultyDisk
import Glibc

/// The operations of a program on the files of a folder.
package struct DiskTrace: Sendable {
  /// One operation, executed or failed.
  package struct Operation: Sendable {
    package enum Kind: Sendable {
      case create
      case write([UInt8], at: Int)
      case truncate(to: Int)
      case sync
      case delete
    }

    /// The name of the file in the folder.
    package let file: String
    package let kind: Kind
    package let succeeded: Bool

    package init(file: String, kind: Kind, succeeded: Bool) {
      self.file = file
      self.kind = kind
      self.succeeded = succeeded
    }
  }

  package let operations: [Operation]

  /// Parses a trace up to its last complete operation.
  package init(bytes: [UInt8]) {
    var operations: [Operation] = []
    bytes.withUnsafeBytes { bytes in
      let head = MemoryLayout<faulty_disk_record>.size
      var place = 0
      while place + head <= bytes.count {
        let record = bytes.loadUnaligned(fromByteOffset: place, as: faulty_disk_record.self)
        let name = place + head
        let data = name + Int(record.name_length)
        let end = data + Int(record.byte_count)
        if end > bytes.count { break }
        operations.append(
          Operation(
            file: String(decoding: bytes[name..<data], as: UTF8.self),
            kind: Self.kind(record, Array(bytes[data..<end])), succeeded: record.succeeded == 1))
        place = end
      }
    }
    self.operations = operations
  }

  private static func kind(_ record: faulty_disk_record, _ bytes: [UInt8]) -> Operation.Kind {
    switch UInt32(record.operation) {
    case FAULTY_DISK_CREATE.rawValue: .create
    case FAULTY_DISK_WRITE.rawValue: .write(bytes, at: Int(record.offset))
    case FAULTY_DISK_TRUNCATE.rawValue: .truncate(to: Int(record.offset))
    case FAULTY_DISK_SYNC.rawValue: .sync
    default: .delete
    }
  }
}
