import Glibc

/// The rights that this thread has on files: root has them all, and tests are run by root as well.
enum FileRights {
  private typealias Setter = @convention(c) (uid_t) -> Int32

  /// `setfsuid(2)`, which the headers show only to GNU programs; it holds for one thread.
  private static let setUser = dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: Setter.self) }

  /// Does something as nobody; where root does not run the test, as who does.
  static func withoutRoot<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard geteuid() == 0 else { return try body() }
    _ = setUser?(65_534)
    defer { _ = setUser?(0) }
    return try body()
  }
}
