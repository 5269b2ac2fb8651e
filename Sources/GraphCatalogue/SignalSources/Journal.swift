import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let journal = SourceDeclaration(
    "journal", "Emits each entry of the systemd journal, as an object of its fields.", kind: .source,
    Parameter<SystemJournalUnits?>(
      "unit", "a unit or a list of units: their entries, and those of systemd about them", .plain,
      initial: .some(nil)),
    Parameter<SystemJournalMatches?>(
      "match", "required fields, each with a value or a list of alternatives",
      initial: .some(nil)),
    Parameter<TailBeginning>(
      "from", "where a run starts: at the current end of the journal, or at its oldest entry", initial: .end),
    Parameter<SystemJournalFolder>(
      "directory", "an absolute path of a folder of journal files, instead of the machine's journal",
      initial: .system)
  ) { context, units, matches, from, folder in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let query = SystemJournalQuery(
      folder: folder.path, conditions: [units?.condition, matches?.condition].compactMap(\.self),
      limit: context.limits.line, owner: context.signal.name)
    let place = context.cell(String?.none)
    context.onAttach { world, _ in
      let reading = world.follow(query, from: SystemJournalStart(place.value, from)) { event in
        place.value = event.cursor
        guard !context.body.hasEnded else { return }
        switch event {
        case .reached: break
        case .entry(let entry): context.turns.run { output.send(value: entry.payload) }
        case .tooLarge:
          let failure = SignalFailure(
            code: "too_long", message: "entry exceeds \(query.limit) bytes (limits.line)")
          context.turns.run { context.refuse(failure, value: nil, output) }
        }
      }
      context.body.onEnd { reading.dispose() }
    }
    return stream
  }
  .alsoKnown(as: "system journal", "journald", "journalctl", "syslog", "logs")
}

extension SystemJournalEvent {
  /// The entry after which reading resumes.
  fileprivate var cursor: String {
    switch self {
    case .reached(let cursor), .tooLarge(let cursor): cursor
    case .entry(let entry): entry.cursor
    }
  }
}

extension SystemJournalStart {
  /// - Parameter cursor: The last entry read, if any.
  fileprivate init(_ cursor: String?, _ beginning: TailBeginning) {
    switch (cursor, beginning) {
    case (""?, _), (nil, .start): self = .beginning
    case (let cursor?, _): self = .after(cursor)
    case (nil, .end): self = .end
    }
  }
}
