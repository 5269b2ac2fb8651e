import CDescriptors
import CSystemd
import Glibc

/// Immutable bytes in a sealed memory file (`memfd_create(2)`), to be passed to another process.
package enum SealedMemory {
  /// Creates a sealed file with these bytes.
  package static func make(_ name: String, _ bytes: [UInt8]) throws(Errno) -> OwnedDescriptor {
    let closedOnStart: UInt32 = 1
    let sealable: UInt32 = 2
    let number = memfd_create(name, closedOnStart | sealable)
    if number == -1 { throw .last("memfd_create") }
    let file = OwnedDescriptor(owning: number)
    try file.transfer.writeAll(bytes)
    if signalbox_seal(number) == -1 { throw .last("fcntl F_ADD_SEALS") }
    return file
  }

  /// Returns the content of a sealed file; `nil` if it is none or is still writable.
  ///
  /// - Parameter number: The descriptor, which remains with its owner.
  package static func read(_ number: Int32, limit: Int = 1 << 32) throws(Errno) -> [UInt8]? {
    let seals = signalbox_seals(number)
    guard seals >= 0, seals & 0xe == 0xe else { return nil }
    let size = lseek(number, 0, SEEK_END)
    guard size >= 0, size <= limit else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    var place = 0
    while place < size {
      let count = bytes.withUnsafeMutableBytes { buffer in
        retryingInterrupts { pread(number, buffer.baseAddress?.advanced(by: place), size - place, off_t(place)) }
      }
      if count == -1 { throw .last("pread") }
      if count == 0 { return nil }
      place += count
    }
    return bytes
  }
}
