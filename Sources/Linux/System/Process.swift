import CSystemd
import Glibc

/// Facts about this process, and its bounds.
package enum CurrentProcess {
  /// The rights that files made by this process do not get (`umask(2)`), as they were when they were first asked for:
  /// looking means to set them for a moment.
  package static let creationMask: UInt32 = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()

  package static var identifier: Int32 { getpid() }

  /// The path of this program's file when it was noted: another file may stand there later.
  package static let programPath: String = {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : CommandLine.arguments[0]
  }()

  /// Takes note of where this program's file is, to be called at the start.
  package static func noteProgramPath() { _ = programPath }

  /// Puts another program into the place of this one (`execve(2)`): the process stays, and so do its number and its
  /// environment; it returns only where that fails.
  ///
  /// - Parameter descriptors: Those that stay open, besides the standard streams and others that are not closed by that.
  package static func replace(with path: String, _ arguments: [String], keeping descriptors: [Int32]) -> Errno {
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, 0) }
    let copies = arguments.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    execv(path, copies)
    let failure = Errno.last("execve", path)
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return failure
  }

  /// Has a descriptor closed in programs that this process starts, and in one that takes its place.
  package static func closeInPrograms(_ number: Int32) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }

  /// Sets a variable of the environment, for this process and those that it starts; `nil` removes it.
  package static func setEnvironment(_ name: String, _ value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
  }

  /// Ends this process at once, as if it had never been asked to tidy up.
  package static func leave(_ status: Int32) -> Never { _exit(status) }
  /// The user whose rights count.
  package static var userID: UInt32 { geteuid() }
  package static var groupID: UInt32 { getegid() }

  /// A variable of the environment.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// All variables, as `NAME=value`.
  package static var environmentLines: [String] {
    var lines: [String] = []
    var next = environ
    while let line = next.pointee {
      lines.append(String(cString: line))
      next += 1
    }
    return lines
  }

  /// The path of a file from the root on, given from the present folder on.
  package static func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return path }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/" + path
  }

  /// Makes writing to a pipe or socket without a reader fail, instead of ending the process (`SIGPIPE`).
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Makes writing past the limit of a file's size fail, instead of ending the process (`SIGXFSZ`, setrlimit(2)).
  package static func ignoreFileSizeLimit() {
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Keeps a signal until the loop asks for it, since it would end a process that is still starting.
  package static func hold(signal number: Int32) {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }

  /// Makes each large block of memory go back to the system as soon as it is let go of (mallopt(3)).
  ///
  /// By itself the C library puts large blocks into its heap after the first one that was freed, and the memory that
  /// clients that come, stall and go leave there keeps the heap from shrinking.
  package static func returnLargeBlocks(from bytes: Int32 = 128 << 10) {
    mallopt(M_MMAP_THRESHOLD, bytes)
    mallopt(M_TRIM_THRESHOLD, bytes)
  }

  /// Gives back the free memory between the blocks that are in use (malloc_trim(3)).
  package static func returnFreeMemory() { malloc_trim(0) }

  /// Lets go of the pages of the program's file.
  ///
  /// Most of those that are there after a start are of no use any more: tables of symbols and relocations, which only the
  /// loader has read, and the code that reads configurations. The others come back from the kernel's cache as they are
  /// used.
  package static func returnProgramPages() {
    // The first line is the program's: 5580c0a00000-5580c1680000 r-xp 00000000 08:01 1234   /usr/bin/signalboxd
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

  /// Raises the number of descriptors that may be open to what the system allows (`RLIMIT_NOFILE`).
  /// - Returns: the number of descriptors that may be open.
  @discardableResult
  package static func raiseDescriptorLimit() throws(Errno) -> UInt64 {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    if getrlimit(resource, &limit) == -1 { throw .last("getrlimit") }
    limit.rlim_cur = limit.rlim_max
    if setrlimit(resource, &limit) == -1 { throw .last("setrlimit") }
    return UInt64(limit.rlim_cur)
  }

  /// Lets the stack of the main thread grow to 96 MiB, where the system allows that (`RLIMIT_STACK`): the kernel leaves at
  /// least 128 MiB of addresses for it.
  package static func raiseStackLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
    let wanted: rlim_t = 96 << 20
    if getrlimit(resource, &limit) == -1 || limit.rlim_cur >= wanted { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    _ = setrlimit(resource, &limit)
  }

  /// The memory that is in use now, in bytes (resident pages of `/proc/self/statm`).
  package static var residentBytes: Int? {
    guard let bytes = try? RegularFile.read("/proc/self/statm", limit: 4096) else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
