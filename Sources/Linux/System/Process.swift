import CSystemd
import Glibc

/// Facts about the process that runs, and its bounds.
package enum CurrentProcess {
  package static var identifier: Int32 { getpid() }
  /// The user whose rights count.
  package static var userID: UInt32 { geteuid() }
  package static var groupID: UInt32 { getegid() }

  /// A variable of the environment.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Has writing to a pipe or socket that nobody reads fail, instead of ending the process (`SIGPIPE`).
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Keeps a signal until the loop asks for it, since it would end a process that is still starting.
  package static func hold(signal number: Int32) {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }

  /// Has each large block of memory go back to the system as soon as it is let go of (mallopt(3)).
  ///
  /// By itself the C library puts large blocks into its heap after the first one that was freed, and what clients that
  /// come, stall and go leave there keeps the heap from shrinking.
  package static func returnLargeBlocks(from bytes: Int32 = 128 << 10) {
    mallopt(M_MMAP_THRESHOLD, bytes)
    mallopt(M_TRIM_THRESHOLD, bytes)
  }

  /// Gives back what lies free between the blocks that are in use (malloc_trim(3)).
  package static func returnFreeMemory() { malloc_trim(0) }

  /// Lets go of the pages of code that lie in memory; what is used again comes back from the kernel's cache.
  ///
  /// A start touches most of a program once. Only what is executable is let go of: it is mapped from a file and the same
  /// as there, unlike data that may be read-only and yet have been relocated.
  package static func returnCode() {
    guard let maps = try? RegularFile.read("/proc/self/maps", limit: 1 << 20) else { return }
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      // 5580c0a00000-5580c1680000 r-xp 00000000 08:01 1234   /usr/bin/signalboxd
      let fields = line.split(separator: " ")
      guard fields.count == 6, fields[1] == "r-xp", fields[5].utf8.first == UInt8(ascii: "/") else { continue }
      let bounds = fields[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
      guard bounds.count == 2, let start = UnsafeMutableRawPointer(bitPattern: bounds[0]) else { continue }
      madvise(start, Int(bounds[1] - bounds[0]), MADV_DONTNEED)
    }
  }

  /// Raises the number of descriptors that may be open to what the system allows (`RLIMIT_NOFILE`).
  /// - Returns: how many that are.
  @discardableResult
  package static func raiseDescriptorLimit() throws(Errno) -> UInt64 {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    if getrlimit(resource, &limit) == -1 { throw .last("getrlimit") }
    limit.rlim_cur = limit.rlim_max
    if setrlimit(resource, &limit) == -1 { throw .last("setrlimit") }
    return UInt64(limit.rlim_cur)
  }

  /// The memory that is in use now, in bytes (resident pages of `/proc/self/statm`).
  package static var residentBytes: Int? {
    guard let bytes = try? RegularFile.read("/proc/self/statm", limit: 4096) else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
