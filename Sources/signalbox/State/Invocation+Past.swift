internal import Base
internal import GraphCatalogue
internal import GraphModel
internal import Linux
internal import Persistence
internal import StateLog

extension Invocation {
  /// Returns the point in time in an option, in microseconds since 1970.
  func moment(_ option: String) throws(CommandError) -> Int64? {
    guard let text = text(option) else { return nil }
    switch RecordedTime(text) {
    case .moment(let microseconds)?: return microseconds
    case .sinceStart(let age)?: return WallTime.now().microseconds - Int64(age / .microseconds(1))
    case nil:
      throw .usage("--\(option) must be a timestamp such as 2026-05-01T12:00:00Z or a duration such as 2h, not \(text)")
    }
  }

  /// Parses the sequence number of a value.
  func sequence(_ text: String) throws(CommandError) -> UInt64 {
    guard let number = UInt64(text), 1...1 << 53 ~= number else {
      throw .usage("SEQ must be the sequence number of a value (\"seq\" in events), not \(text)")
    }
    return number
  }

  /// Runs a query about a signal's past in the state folder of a daemon.
  func lookBack<Result>(
    at signal: String, _ body: (LookingBack) throws(LookingBack.Refusal) -> Result
  ) throws(CommandError) -> Result {
    let location = try StateLocation(self)
    let folder = try location.reader(for: [signal])
    do throws(LookingBack.Refusal) {
      return try body(try LookingBack(at: signal, in: folder))
    } catch {
      switch error {
      case .storage(let error): throw location.failure(error)
      case .unknown(let names): throw location.unknown(signal, amongDurable: names)
      case .noValue(let message): throw CommandError(.notYet, message)
      }
    }
  }
}

extension StateLocation {
  /// Opens the folder for queries about signals.
  ///
  /// - Throws: The refusal for a signal of an ordinary graph, if there is no folder and the configuration has one.
  func reader(for signals: [String]) throws(CommandError) -> FolderReader {
    try becomeOwner()
    do throws(StorageError) { return try FolderReader(path) } catch {
      let refusal = error.kind == .missing ? signals.lazy.compactMap(notDurable).first : nil
      throw refusal ?? failure(error)
    }
  }

  /// Returns the failure for a signal that is in no durable graph.
  func unknown(_ pattern: String, amongDurable names: some Sequence<String>) -> CommandError {
    if let refusal = notDurable(pattern) { return refusal }
    let hint = Suggestion.likely(for: pattern, among: names.sorted()).map { "; did you mean \($0)?" }
    return CommandError(.unknown, "no signal \(pattern) in the durable graphs at that time\(hint ?? "")")
  }

  /// Returns the refusal for a signal that the configuration has in an ordinary graph; `nil` for any other.
  private func notDurable(_ signal: String) -> CommandError? {
    guard let path = configuration,
      let configuration = try? Configuration.load(.withAdditions(path), inputs: .elsewhere),
      let graph = configuration.graphs.first(where: { $0.signals.contains { $0.name == signal } }),
      graph.durability == nil
    else { return nil }
    return CommandError(
      .unknown,
      "graph \"\(graph.name)\" is not durable in \(path): no history of \(signal) is kept; set "
        + "\"durable: true\" in the graph")
  }
}
