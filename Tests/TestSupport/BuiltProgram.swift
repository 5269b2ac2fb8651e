package import Foundation

/// The programs of this package, built beside the tests.
package enum BuiltProgram {
  /// True if they are built with a sanitizer, which holds freed memory, multiplies processor time, and must be loaded first.
  package static let isSanitized = folder.path.contains("-sanitizer/")

  package static func file(named name: String) -> URL { folder.appendingPathComponent(name) }

  private static var folder: URL { URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent() }
}
