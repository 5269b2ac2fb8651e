internal import GraphModel
internal import Linux

/// The fix-its of a configuration, to be applied to its files.
struct ConfigurationFix {
  private let fixIts: [FixIt]

  init(_ diagnostics: Diagnostics) { fixIts = diagnostics.list.compactMap(\.fixIt) }

  /// Replaces each file that has fix-its atomically, and returns those applied, ordered by place.
  func apply() throws(CommandError) -> [FixIt] {
    var applied: [FixIt] = []
    let files = Dictionary(grouping: fixIts, by: \.place.source.index).sorted { $0.key < $1.key }
    for (_, fixIts) in files { applied += try Self.apply(fixIts, to: fixIts[0].place.source) }
    return applied
  }

  private static func apply(_ fixIts: [FixIt], to file: SourceFile) throws(CommandError) -> [FixIt] {
    let (text, applied) = file.applying(fixIts)
    let (bytes, old) = (try read(file.name), Array(file.text.utf8))
    // A byte order mark may precede the text.
    let mark = bytes.prefix(max(0, bytes.count - old.count))
    guard bytes.dropFirst(mark.count).elementsEqual(old), mark.isEmpty || mark.elementsEqual([0xEF, 0xBB, 0xBF]) else {
      throw CommandError(.unwritable, "\(file.name) changed during the check: not written")
    }
    do throws(FileError) { try RegularFile.write(Array(mark) + Array(text.utf8), to: file.name) } catch {
      throw CommandError(.unwritable, "\(error)")
    }
    return applied
  }

  private static func read(_ path: String) throws(CommandError) -> [UInt8] {
    do throws(FileError) { return try RegularFile.read(path, limit: .max - 1) } catch {
      throw CommandError(.unreadable, "\(error)")
    }
  }
}
