import Base
package import GraphModel
import JSON
package import Signals

/// The changes of the files below a folder as values of a signal, and the files known so far.
package final class FolderChanges: KeptMemory, StateFields {
  private let query: FolderQuery
  /// The events that are emitted.
  private let kinds: Set<String>
  /// True if files that existed when watching began are emitted as created.
  private let includesFound: Bool
  private let output: StreamObserver
  private let context: OperatorContext
  private var files: [ExactText: FolderFile] = [:]
  /// True once all files that existed at the beginning have been reported.
  private var hasLooked = false

  package init(
    _ query: FolderQuery, emitting kinds: Set<String>, includingFound includesFound: Bool, to output: StreamObserver,
    _ context: OperatorContext
  ) {
    (self.query, self.kinds, self.includesFound) = (query, kinds, includesFound)
    (self.output, self.context) = (output, context)
    keep()
  }

  /// The known files, ordered by path; `nil` if watching begins anew.
  package func known() -> [FolderFile]? {
    if hasLooked { return inOrder }
    files = [:]
    return nil
  }

  private var inOrder: [FolderFile] { files.sorted { $0.key < $1.key }.map(\.value) }

  package func receive(_ event: FolderEvent) {
    guard !context.body.hasEnded else { return }
    switch event {
    case .found(let found):
      for file in found {
        files[ExactText(file.path)] = file
        if includesFound { emit("created", file) }
      }
    case .looked: hasLooked = true
    case .created(let file): note("created", file)
    case .changed(let file): note("changed", file)
    case .removed(let path): if let file = files.removeValue(forKey: ExactText(path)) { emit("removed", file) }
    case .overflow: context.turns.run { output.send(value: .value(["event": "overflow"])) }
    case .full:
      refuse("too_many", "more than \(query.limit) files match; further ones are not watched (limit)")
    case .failed(let message): refuse("file", message)
    }
  }

  private func note(_ kind: String, _ file: FolderFile) {
    files[ExactText(file.path)] = file
    emit(kind, file)
  }

  private func emit(_ kind: String, _ file: FolderFile) {
    guard kinds.contains(kind), !context.body.hasEnded else { return }
    let value: JSONValue = [
      "path": .string(query.folder == "/" ? "/\(file.path)" : "\(query.folder)/\(file.path)"), "event": .string(kind),
      "size": .number(Double(file.size)), "modified": .number(Double(file.modified) / 1e9),
    ]
    context.turns.run { output.send(value: .value(value)) }
  }

  private func refuse(_ code: String, _ message: String) {
    context.turns.run { context.refuse(SignalFailure(code: code, message: message), value: nil, output) }
  }

  // MARK: Saving

  package func code(_ field: inout StateCoder<FolderChanges>) throws(StateError) {
    try field(&hasLooked)
    try field(\.inOrder) { (kept) throws(StateError) in
      files = Dictionary(kept.map { (ExactText($0.path), $0) }) { first, _ in first }
      guard files.count == kept.count else { throw StateError("a file is kept that is there twice") }
    }
  }
}
