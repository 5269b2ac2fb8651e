import GraphModel

/// Reads the views of a configuration, once all signals have been read.
struct ViewReader {
  private typealias Entry = ViewDeclaration.Entry

  private static let mostViews = 100
  private static let mostEntries = 200

  private let context: ReadingContext
  private let declared: DeclaredNames
  /// The signals without errors, in the order of the files.
  private let signals: [SignalDeclaration]
  private let signalsByName: DeclaredSignals

  init(_ context: ReadingContext, _ declared: DeclaredNames, _ signals: [SignalDeclaration], _ byName: DeclaredSignals)
  {
    self.context = context
    self.declared = declared
    self.signals = signals
    signalsByName = byName
  }

  private var problems: Problems { context.problems }

  /// Returns the valid views of all files; the errors in the others are reported.
  ///
  /// The parts of templates add to the views of their names.
  func read(_ parts: [ViewPart]) -> [ViewDeclaration] {
    var names: [String] = []
    var byName: [String: [ViewPart]] = [:]
    for part in parts {
      if let first = byName[part.name]?.first {
        guard part.isOfTemplate else {
          problems.error(
            "duplicate view \"\(part.name)\"", at: part.entry.key,
            related: .init("first declared here", at: first.entry.key.place))
          continue
        }
      } else {
        names.append(part.name)
      }
      byName[part.name, default: []].append(part)
    }
    if names.count > Self.mostViews, let part = byName[names[Self.mostViews]]?.first {
      problems.error("a configuration has at most \(Self.mostViews) views", at: part.entry.key)
    }
    return names.compactMap { view(byName[$0] ?? []) }
  }

  /// Returns the view of parts with one name.
  private func view(_ parts: [ViewPart]) -> ViewDeclaration? {
    var (title, doc) = (ViewText("title"), ViewText("doc"))
    var entries: [Entry] = []
    var (name, isWhole): (String?, Bool) = (nil, true)
    for part in parts {
      name = context.name(key: part.entry.key)
      guard let mapping = context.reader(part.entry.value).mapping(of: ["title", "doc", "show"]) else { return nil }
      title.take(mapping.optional("title")?.text(), mapping)
      doc.take(mapping.optional("doc")?.string(), mapping)
      let show = mapping.required("show")
      guard name != nil, let show, let list = show.list() else {
        isWhole = false
        continue
      }
      if list.isEmpty { problems.error("expected at least one signal", at: show) }
      let reader = ViewEntryReader(context, declared, signals, signalsByName, part)
      entries += list.flatMap { reader.entries($0.node) }
      if entries.count > Self.mostEntries {
        problems.error("a view shows at most \(Self.mostEntries) signals, and this one has \(entries.count)", at: show)
        return nil
      }
    }
    guard isWhole, let name else { return nil }
    return ViewDeclaration(name: name, title: title.text ?? name, documentation: doc.text, entries: entries)
  }
}
