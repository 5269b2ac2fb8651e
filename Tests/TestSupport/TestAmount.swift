import Foundation

/// The amount of work of a test, where the environment sets it.
package enum TestAmount {
  /// The number in an environment variable; `nil` if it is not set.
  package static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }

  /// Returns an amount of work, a fifth of it under a sanitizer, which multiplies processor time.
  package static func scaled(_ count: Int) -> Int { BuiltProgram.isSanitized ? max(1, count / 5) : count }
}
