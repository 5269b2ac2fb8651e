import Glibc

extension ConfigurationInputs {
  /// The machine's own files and accounts, and the process's environment.
  package static let system = {
    var inputs = systemWithoutAccounts
    // Only the presence of an entry counts: its content may belong to another thread by now.
    inputs.hasUser = { getpwnam($0) != nil }
    inputs.hasGroup = { getgrnam($0) != nil }
    return inputs
  }()

  /// The same for a look at a configuration outside of the service that is to run it.
  package static let elsewhere = {
    var inputs = system
    inputs.viewpoint = .elsewhere
    return inputs
  }()

  /// The same for a program that is no service, where the accounts of this machine do not matter.
  package static let systemWithoutAccounts = ConfigurationInputs(
    environment: { name in getenv(name).map { String(cString: $0) } },
    readFile: { path, limit in SystemFile.read(path, limit: limit) },
    listDirectory: { path in SystemFile.list(path) })
}

/// Files through the C library, since this layer knows nothing of the daemon's descriptors.
private enum SystemFile {
  /// A regular file, or a pipe as `check <(generate)` gives it, to its end.
  static func read(_ path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .failure(.system(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(.system(errno)) }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFIFO: return content(of: descriptor, limit: limit)
    case S_IFDIR: return .failure(.isDirectory)
    default: return .failure(.notRegular)
    }
  }

  private static func content(of descriptor: Int32, limit: Int) -> Result<[UInt8], FileFailure> {
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return .success(content) }
      if count > 0 {
        content += buffer[..<count]
        guard content.count <= limit else { return .failure(.tooLarge(limit: limit)) }
      } else if errno == EAGAIN {
        guard isReadable(descriptor) else { return .failure(.system(ETIMEDOUT)) }
      } else if errno != EINTR {
        return .failure(.system(errno))
      }
    }
  }

  /// Whether a pipe has something before long; a writer that says nothing must not hold up a reload for ever.
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
      // In place: an entry is only as long as its name, whatever the type says.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      names.append(name)
      errno = 0
    }
    return errno == 0 ? .success(names) : .failure(.system(errno))
  }
}
