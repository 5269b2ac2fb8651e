import Foundation

/// The files of the library's two targets.
enum LibrarySource {
  /// The package's root, relative to this file.
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the Swift files in a folder of each target.
  static func files(in folder: String = "") -> [URL] {
    ["Sources/Signals", "Sources/ReactiveCore"].flatMap { target in
      let place = root.appending(path: target).appending(path: folder)
      let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)?.allObjects as? [URL]
      return (files ?? []).filter { $0.pathExtension == "swift" }
    }
  }
}
