import Glibc

/// The file permissions of this thread: root has them all, and tests are run by root as well.
enum FileRights {
  private typealias Setter = @convention(c) (uid_t) -> Int32

  /// `setfsuid(2)`, declared only for GNU programs; it applies to one thread.
  private static let setUser = dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: Setter.self) }

  /// Runs a closure as an unprivileged user; if the test does not run as root, as its own user.
  static func withoutRoot<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard geteuid() == 0 else { return try body() }
    _ = setUser?(65_534)
    defer { _ = setUser?(0) }
    return try body()
  }
}
