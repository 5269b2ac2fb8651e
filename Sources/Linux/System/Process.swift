import CSystemd
import Glibc

/// Properties and limits of this process.
package enum CurrentProcess {
  /// The name of the host.
  package static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The permissions withheld from new files (`umask(2)`), read once, since reading requires setting it briefly.
  package static let creationMask: UInt32 = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()

  package static var identifier: Int32 { getpid() }

  /// The path of this program's executable when first read: another file may replace it later.
  package static let programPath: String = {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : CommandLine.arguments[0]
  }()

  /// Records the path of the executable; called at startup.
  package static func noteProgramPath() { _ = programPath }

  /// Executes another program in this process (`execve(2)`), which keeps its ID and environment; returns only on
  /// failure.
  ///
  /// - Parameter descriptors: Descriptors to keep open, besides the standard streams and other inheritable ones.
  package static func replace(with path: String, _ arguments: [String], keeping descriptors: [Int32]) -> Errno {
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, 0) }
    let copies = arguments.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    execv(path, copies)
    let failure = Errno.last("execve", path)
    for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return failure
  }

  /// Marks a descriptor as not inheritable by other programs.
  package static func closeInPrograms(_ number: Int32) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }

  /// Sets an environment variable for this process and its children; `nil` removes it.
  package static func setEnvironment(_ name: String, _ value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
  }

  /// Exits at once, without running exit handlers.
  package static func leave(_ status: Int32) -> Never { _exit(status) }
  /// The effective user ID.
  package static var userID: UInt32 { geteuid() }
  package static var groupID: UInt32 { getegid() }

  /// Returns an environment variable.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The environment variables for the daemon's own programs, without the socket on which this process notifies the
  /// service manager.
  package static var environmentOfChildren: [String] { environmentLines.filter { !$0.hasPrefix("NOTIFY_SOCKET=") } }

  /// All environment variables, as `NAME=value`.
  package static var environmentLines: [String] {
    var lines: [String] = []
    var next = environ
    while let line = next.pointee {
      lines.append(String(cString: line))
      next += 1
    }
    return lines
  }

  /// Returns the absolute path for a path relative to the current directory.
  package static func absolutePath(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard getcwd(&buffer, buffer.count) != nil else { return path }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/" + path
  }

  /// Ignores `SIGPIPE`, so that writes to a pipe or socket without a reader fail instead of ending the process.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Ignores `SIGXFSZ`, so that writes past the file size limit (setrlimit(2)) fail instead of ending the process.
  package static func ignoreFileSizeLimit() {
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Blocks a signal until the loop handles it, since it would end a process during startup.
  package static func hold(signal number: Int32) {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }

  /// The limit of open descriptors (`RLIMIT_NOFILE`); their numbers are below it.
  package static var descriptorLimit: Int {
    var limit = rlimit()
    let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return status == -1 ? .max : Int(clamping: limit.rlim_cur)
  }

  /// Raises the limit of open descriptors to the system's maximum (`RLIMIT_NOFILE`).
  /// - Returns: The new limit.
  @discardableResult
  package static func raiseDescriptorLimit() throws(Errno) -> UInt64 {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    if getrlimit(resource, &limit) == -1 { throw .last("getrlimit") }
    limit.rlim_cur = limit.rlim_max
    if setrlimit(resource, &limit) == -1 { throw .last("setrlimit") }
    return UInt64(limit.rlim_cur)
  }

  /// Raises the stack limit of the main thread to 96 MiB, as far as permitted (`RLIMIT_STACK`): the kernel reserves at
  /// least 128 MiB of address space for it.
  package static func raiseStackLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
    let wanted: rlim_t = 96 << 20
    if getrlimit(resource, &limit) == -1 || limit.rlim_cur >= wanted { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    _ = setrlimit(resource, &limit)
  }
}
