internal import Base
internal import Linux

/// The cookbook: configurations for common problems, installed with the program or beside its sources.
struct Cookbook {
  /// A larger file is no recipe.
  private static let largestFile = 1 << 20

  private let folder: String
  /// The names of its recipes, in order.
  let names: [String]

  /// Finds it: in `share/signalbox/cookbook` of the prefix where this program is installed, otherwise in `docs/cookbook`
  /// of a clone that it was built in.
  init() throws(CommandError) {
    let program = CurrentProcess.folder ?? ""
    var folders = ["\(program)/../share/signalbox/cookbook"]
    // A program lies in .build/release, which may be a link to .build/ARCHITECTURE/release.
    var parent = program
    for _ in 0..<4 {
      parent = parent.lastIndex(of: "/").map { String(parent[..<$0]) } ?? ""
      folders.append("\(parent)/docs/cookbook")
    }
    for folder in folders {
      let names = Self.names(in: folder)
      guard !names.isEmpty else { continue }
      (self.folder, self.names) = (folder, names)
      return
    }
    throw CommandError(.unreadable, "no cookbook: neither \(folders[0]) nor docs/cookbook of a clone exists")
  }

  private static func names(in folder: String) -> [String] {
    let files = (try? FolderListing.names(in: folder)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// Returns the file of a recipe.
  ///
  /// - Throws: For an unknown name, the list of all.
  func file(_ name: String) throws(CommandError) -> [UInt8] {
    guard names.contains(name) else {
      let hint = Suggestion.likely(for: name, among: names).map { "did you mean \($0)?" }
      throw .usage(
        "no file \(name) in the cookbook; \(hint ?? "these exist:")",
        excerpt: HelpColumns.text(summaries).lines.flatMap(Self.wrapped))
    }
    do throws(FileError) { return try RegularFile.read("\(folder)/\(name).yaml", limit: Self.largestFile) } catch {
      throw CommandError(.unreadable, "\(error)")
    }
  }

  /// Wraps a line of an excerpt, which is indented by two columns.
  private static func wrapped(_ line: String) -> [String] {
    errorColumns.map { WrappedText.lines(line, width: $0 - 2) } ?? [line]
  }

  /// Each recipe with the first sentence of its first comment.
  private var summaries: [(String, String)] {
    names.map { name in
      let bytes = (try? RegularFile.read("\(folder)/\(name).yaml", limit: Self.largestFile)) ?? []
      let comment = String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix { $0.hasPrefix("#") }
        .map { $0.drop { $0 == "#" || $0 == " " } }.joined(separator: " ")
      return (name, comment.split(separator: ". ").first.map(String.init) ?? "")
    }
  }
}

extension String {
  fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}
