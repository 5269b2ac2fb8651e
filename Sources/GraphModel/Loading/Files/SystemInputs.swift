import Glibc

extension ConfigurationInputs {
  /// The machine's files and accounts, and the environment of the process.
  package static let system = {
    var inputs = systemWithoutAccounts
    // Only the presence of an entry counts: another thread may already have overwritten its content.
    inputs.hasUser = { getpwnam($0) != nil }
    inputs.hasGroup = { getgrnam($0) != nil }
    return inputs
  }()

  /// The system's inputs for checking a configuration outside its service.
  package static let elsewhere = {
    var inputs = system
    inputs.viewpoint = .elsewhere
    return inputs
  }()

  /// The system's inputs for a program other than a service, where the accounts of this machine do not matter.
  package static let systemWithoutAccounts = ConfigurationInputs(
    environment: { name in getenv(name).map { String(cString: $0) } },
    readFile: { path, limit in SystemFile.read(path, limit: limit) },
    listDirectory: { path in SystemFile.list(path) })
}

/// File access through the C library, since this layer does not depend on the daemon's descriptors.
private enum SystemFile {
  /// Reads a regular file, or a pipe that this process was started with, such as `check <(generate)`, to its end.
  ///
  /// A pipe by a name in a folder could hold up a reload for as long as its writer wants.
  static func read(_ path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return .failure(.system(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(.system(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return content(of: descriptor, limit: limit) { false }
    case S_IFIFO where isOwnDescriptor(path):
      return content(of: descriptor, limit: limit) { isReadable(descriptor) }
    case S_IFDIR: return .failure(.isDirectory)
    default: return .failure(.notRegular)
    }
  }

  private static func isOwnDescriptor(_ path: String) -> Bool {
    path == "/dev/stdin" || ["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) }
  }

  /// - Parameter wait: Waits for more; false if there is none in time. A file such as `/proc/kmsg` has no end either.
  private static func content(
    of descriptor: Int32, limit: Int, waitingBy wait: () -> Bool
  ) -> Result<[UInt8], FileFailure> {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return .success(content) }
      if count > 0 {
        content += buffer[..<count]
        guard content.count <= limit else { return .failure(.tooLarge(limit: limit)) }
      } else if errno == EAGAIN {
        guard wait() else { return .failure(.endless) }
      } else if errno != EINTR {
        return .failure(.system(errno))
      }
    }
  }

  /// Waits up to 10 s for a pipe to become readable; a silent writer must not block this process for ever.
  private static func isReadable(_ descriptor: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 10_000) > 0
  }

  static func list(_ path: String) -> Result<[String], FileFailure> {
    guard let directory = opendir(path) else { return .failure(.system(errno)) }
    defer { closedir(directory) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(directory) {
      // Read in place: an entry is only as long as its name, whatever its type says.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      names.append(name)
      errno = 0
    }
    return errno == 0 ? .success(names) : .failure(.system(errno))
  }
}
