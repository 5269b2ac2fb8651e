package import GraphModel
import JSON
package import Signals

/// The files that match a pattern, each with lines of its own; values name their file.
package final class GlobTail: KeptMemory {
  private final class File {
    let path: String
    var place: TailPlace
    let run = RecipeRun()
    var lines: LineValues?

    init(_ path: String, _ place: TailPlace) {
      self.path = path
      self.place = place
    }
  }

  private let format: LineFormat
  private let encoding: LineEncoding
  private let multiline: Multiline?
  private let output: StreamObserver
  private let context: OperatorContext
  private var files: [FileNumbers: File] = [:]
  /// True once all files that existed at the beginning have been reported.
  private var hasLooked = false
  private var kept: [(path: String, place: TailPlace, run: StateDecoder)] = []

  package init(
    _ format: LineFormat, _ encoding: LineEncoding, multiline: Multiline?, to output: StreamObserver,
    _ context: OperatorContext
  ) {
    self.format = format
    self.encoding = encoding
    self.multiline = multiline
    self.output = output
    self.context = context
    keep()
    for (path, place, run) in kept { begin(path, at: place, kept: run) }
    kept = []
    context.body.onEnd { [self] in
      for file in files.values { file.run.stop() }
      files = [:]
    }
  }

  /// Returns the starting point for reading the files.
  ///
  /// - Parameter beginning: The starting point if they were never read.
  package func start(_ beginning: TailBeginning) -> GlobStart {
    guard hasLooked else { return beginning == .start ? .beginning : .end }
    return .places(inOrder.map { GlobStart.KnownFile(path: $0.path, place: $0.place) })
  }

  private var inOrder: [File] {
    files.sorted { ($0.key.device, $0.key.inode) < ($1.key.device, $1.key.inode) }.map(\.value)
  }

  package func receive(_ event: GlobEvent) {
    guard !context.body.hasEnded else { return }
    switch event {
    case .looked: hasLooked = true
    case .began(let place, let path): if files[FileNumbers(place)] == nil { begin(path, at: place) }
    case .ended(let numbers): if let file = files.removeValue(forKey: numbers) { end(file) }
    case .tail(let event, let numbers): if let file = files[numbers] { receive(event, of: file) }
    }
  }

  private func receive(_ event: TailEvent, of file: File) {
    switch event {
    case .appended(let bytes): file.lines?.append(bytes)
    case .rotated: file.lines?.finish()
    case .truncated: file.lines?.discard()
    case .reached(let place): file.place = place
    }
  }

  private func begin(_ path: String, at place: TailPlace, kept: StateDecoder? = nil) {
    let file = File(path, place)
    files[FileNumbers(place)] = file
    let recipe = context.body.recipe(at: context.place) { [self] run in
      let (stream, lines) = Stream.pipe()
      let inner = OperatorContext(
        body: run, step: context.step, onError: context.onError.adding("path", .string(path)))
      inner.keep(lines)
      file.lines = LineValues(format, encoding, multiline: multiline, to: lines, inner)
      return stream
    }
    file.run.start(
      recipe, kept: kept,
      StreamObserver(
        value: { [output] in output.send(value: .value(["path": .string(path), "value": $0.value])) },
        ending: { [output] in output.end(with: SignalEnding($0)) }))
  }

  /// Ends a file; a rest without a line end counts as a line.
  private func end(_ file: File) {
    file.lines?.finish()
    file.run.stop()
    file.lines = nil
  }

  // MARK: Saving

  package func encode(to writer: inout StateEncoder) {
    hasLooked.encode(to: &writer)
    writer.count(files.count)
    for file in inOrder {
      writer.text(file.path)
      file.place.encode(to: &writer)
      file.run.encode(to: &writer)
    }
  }

  package func restore(from reader: inout StateDecoder) throws(StateError) {
    hasLooked = try Bool(from: &reader)
    for _ in 0..<(try reader.count()) {
      kept.append((try reader.text(), try TailPlace(from: &reader), try reader.part()))
    }
    guard Set(kept.map { FileNumbers($0.place) }).count == kept.count else {
      throw StateError("duplicate file")
    }
  }
}
