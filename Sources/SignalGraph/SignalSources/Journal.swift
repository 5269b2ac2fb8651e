import JSON
import ReactiveCore

extension SourceDeclaration {
  static let journal = SourceDeclaration(
    "journal", "Emits each entry of the journal of systemd, as an object of its fields.", kind: .source,
    Parameter<JournalUnits?>(
      "unit", "a unit or a list of them: the entries of each, and those of systemd about it", .plain,
      initial: .some(nil)),
    Parameter<JournalMatches?>(
      "match", "fields, each with a value or a list of values of which an entry has to have one",
      initial: .some(nil)),
    Parameter<TailBeginning>(
      "from", "whether a run begins at the present end of the journal or with its oldest entry", initial: .end),
    Parameter<JournalFolder>(
      "directory", "an absolute path of a folder of journal files, in place of the machine's journal",
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
            code: "too_long", message: "an entry of more than \(query.limit) bytes (limits.line)")
          context.turns.run { context.refuse(failure, value: nil, output) }
        }
      }
      context.body.onEnd { reading.dispose() }
    }
    return stream
  }
}

extension SystemJournalEvent {
  /// The entry behind which it goes on.
  fileprivate var cursor: String {
    switch self {
    case .reached(let cursor), .tooLarge(let cursor): cursor
    case .entry(let entry): entry.cursor
    }
  }
}

extension SystemJournalStart {
  /// - Parameter cursor: The entry that was read last, if any was.
  fileprivate init(_ cursor: String?, _ beginning: TailBeginning) {
    switch (cursor, beginning) {
    case (""?, _), (nil, .start): self = .beginning
    case (let cursor?, _): self = .after(cursor)
    case (nil, .end): self = .end
    }
  }
}
