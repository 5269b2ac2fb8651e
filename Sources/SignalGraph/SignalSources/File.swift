import JSON
import ReactiveCore

extension SourceDeclaration {
  static let file = SourceDeclaration(
    "file", "Holds a file's content, and emits it when it has changed.", kind: .source, isHeld: true,
    Parameter<FilePath>("path", "an absolute path; the file may be missing", .plain),
    Parameter<Duration?>(
      "every", "how often to read it, where the system reports no changes (/proc, /sys)", .free, initial: .some(nil)),
    Parameter<FileFormat>("format", "the format of the content", .free, initial: .text),
    Parameter<Bool>("write", "whether sending a value writes the file, in one step", .free, initial: false),
    check: { _, every, _, _ in every.map { $0 < .milliseconds(1) ? "every is 1ms or more" : nil } ?? nil },
    takesValues: { _, _, _, write in write }
  ) { context, path, every, format, write in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let file = FollowedFile(path.text, format, to: output, context)
    if write {
      context.signal.inlet = Inlet(output: output, type: .any, isEndable: false) { value throws(SendError) in
        try file.write(value)
      }
    }
    if let every { context.repeating(every: every) { file.read() } }
    context.onAttach { world, _ in file.follow(in: world, isWatched: every == nil) }
    return stream
  }
}

/// A file whose content is a signal's value.
private final class FollowedFile {
  private let path: String
  private let format: FileFormat
  private let context: OperatorContext
  private let output: StreamObserver
  /// The content that was emitted last.
  private let last: Cell<[UInt8]?>
  /// When to read what somebody writes who does not close the file.
  private var pending: Alarm?

  /// How long the writer may take until the file is read all the same.
  private static let patience = Duration.milliseconds(100)

  init(_ path: String, _ format: FileFormat, to output: StreamObserver, _ context: OperatorContext) {
    self.path = path
    self.format = format
    self.output = output
    self.context = context
    last = context.cell(nil)
    let pending = Alarm(context) { [unowned self] _, _ in read() }
    context.body.onEnd { pending.dispose() }
    self.pending = pending
  }

  /// Reads it now and, if it is watched, whenever it may have changed.
  func follow(in world: any GraphWorld, isWatched: Bool) {
    if isWatched {
      let watch = world.watch(file: path) { [self] in take($0) }
      context.body.onEnd { watch.dispose() }
    }
    read()
  }

  private func take(_ change: ContentChange) {
    switch change {
    case .done:
      pending?.cancel()
      context.turns.run { read() }
    case .underWay:
      if pending?.isSet == false { pending?.set(at: context.clock.now + Self.patience) }
    }
  }

  func read() {
    guard let content = context.world.contents(ofFile: path, limit: context.limits.line), content != last.value
    else { return }
    last.value = content
    do throws(SignalFailure) {
      output.send(value: try format.payload(of: content))
    } catch {
      context.refuse(error, value: nil, output)
    }
  }

  /// Writes what a value stands for; who follows the file is told by the value itself.
  func write(_ value: Payload) throws(SendError) {
    let content = try format.content(of: value)
    guard content.count <= context.limits.line else {
      throw .badValue(expected: "at most \(context.limits.line) bytes (limits.line)", found: "\(content.count)")
    }
    do throws(SignalFailure) {
      try context.world.write(content, toFile: path)
    } catch {
      throw .failed(error)
    }
    last.value = content
  }
}
