import CSystemd
import Glibc

extension CurrentProcess {
  /// Makes the allocator return each large block to the system when it is freed (mallopt(3)).
  ///
  /// By default, glibc serves large blocks from its heap after the first one is freed, where memory of short-lived
  /// clients prevents the heap from shrinking.
  package static func returnLargeBlocks(from bytes: Int32 = 128 << 10) {
    mallopt(M_MMAP_THRESHOLD, bytes)
    mallopt(M_TRIM_THRESHOLD, bytes)
  }

  /// Returns free memory between blocks in use to the system (malloc_trim(3)).
  package static func returnFreeMemory() { malloc_trim(0) }

  /// Releases the resident pages of the executable.
  ///
  /// Most of them are useless after startup: tables of symbols and relocations, which only the loader reads, and the
  /// code that reads configurations. The others are mapped again from the page cache on use.
  package static func returnProgramPages() {
    // The first line maps the executable: 5580c0a00000-5580c1680000 r-xp 00000000 08:01 1234   /usr/bin/signalboxd
    guard let maps = try? RegularFile.read("/proc/self/maps", limit: 1 << 20) else { return }
    let fields = maps.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
    guard fields.count == 6, fields[1].dropFirst().first == UInt8(ascii: "-"), fields[2].allSatisfy({ $0 == 0x30 })
    else { return }
    let bounds = fields[0].split(separator: UInt8(ascii: "-")).compactMap {
      Int(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard bounds.count == 2, let start = UnsafeMutableRawPointer(bitPattern: bounds[0]) else { return }
    madvise(start, bounds[1] - bounds[0], MADV_DONTNEED)
  }

  /// The resident memory in bytes (`/proc/self/statm`).
  package static var residentBytes: Int? {
    guard let bytes = try? RegularFile.read("/proc/self/statm", limit: 4096) else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
