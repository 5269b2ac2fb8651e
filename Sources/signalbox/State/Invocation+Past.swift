internal import Journal
internal import Linux
internal import Persistence
internal import SignalGraph
internal import Spelling

extension Invocation {
  /// The moment that an option gives, in microseconds since 1970.
  func moment(_ option: String) throws(CommandError) -> Int64? {
    guard let text = text(option) else { return nil }
    switch RecordedTime(text) {
    case .moment(let microseconds)?: return microseconds
    case .sinceStart(let age)?: return WallTime.now().microseconds - Int64(age / .microseconds(1))
    case nil: throw .usage("--\(option) is a moment such as 2026-05-01T12:00:00Z or a duration such as 2h, not \(text)")
    }
  }

  /// The number of a value.
  func sequence(_ text: String) throws(CommandError) -> UInt64 {
    guard let number = UInt64(text), 1...1 << 53 ~= number else {
      throw .usage("SEQ is the number of a value, which events tell as \"seq\", not \(text)")
    }
    return number
  }

  /// Looks back at a signal in the folder of a daemon.
  func lookBack<Result>(
    at signal: String, _ body: (LookingBack) throws(LookingBack.Refusal) -> Result
  ) throws(CommandError) -> Result {
    let location = try StateLocation(self)
    let folder = try location.access { path throws(StorageError) in try FolderReader(path) }
    do throws(LookingBack.Refusal) {
      return try body(try LookingBack(at: signal, in: folder))
    } catch {
      switch error {
      case .storage(let error): throw location.failure(error)
      case .unknown(let names): throw .unknown(signal, amongDurable: names)
      case .noValue(let message): throw CommandError(.notYet, message)
      }
    }
  }
}

extension CommandError {
  /// There is no such signal in durable graphs.
  static func unknown(_ pattern: String, amongDurable names: some Sequence<String>) -> CommandError {
    let hint = Suggestion.likely(for: pattern, among: names.sorted()).map { "; did you mean \($0)?" }
    return CommandError(.unknown, "no signal \(pattern) in the durable graphs of that time\(hint ?? "")")
  }
}
