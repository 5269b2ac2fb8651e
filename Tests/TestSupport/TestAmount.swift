import Foundation

/// How much a test is to do, where somebody says so.
package enum TestAmount {
  /// The number in a variable of the environment; `nil` where it is not set.
  package static func number(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }
}
