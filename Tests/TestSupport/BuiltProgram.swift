package import Foundation

/// The programs of this package, built beside the tests.
package enum BuiltProgram {
  package static func file(named name: String) -> URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name)
  }
}
