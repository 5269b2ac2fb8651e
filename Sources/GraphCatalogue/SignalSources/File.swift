import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let file = SourceDeclaration(
    "file", "Holds the content of a file and emits its changes, or writes values to files.", kind: .source,
    isHeld: true,
    Parameter<FilePath?>("path", "an absolute path; the file may be missing", .plain, initial: .some(nil)),
    Parameter<Duration?>(
      "every", "polling interval, where the system reports no changes (/proc, /sys)", .free, initial: .some(nil),
      shortest: .milliseconds(1)),
    Parameter<FileFormat>("format", "the format of the content", .free, initial: .text),
    Parameter<Bool>("write", "replace the file atomically with each value sent", .free, initial: false),
    Parameter<Bool>(
      "append", "append each value sent as a line; the file is not read then", .free,
      initial: false),
    Parameter<WrittenFolder?>(
      "folder", "instead of path, a folder to write values below; nothing is read then",
      initial: .some(nil)),
    Parameter<GraphExpression?>(
      "name", "with folder, an expression for the relative path of a value's file",
      initial: .some(nil)),
    check: { path, every, _, write, append, folder, name in
      if path == nil, folder == nil { return "give path, or folder with name" }
      if path != nil, folder != nil { return "path and folder exclude each other" }
      if (folder == nil) != (name == nil) { return "folder requires name, and name requires folder" }
      if folder != nil, !write, !append {
        return "folder requires write: true or append: true"
      }
      return every != nil && (append || folder != nil)
        ? "every cannot be combined with append or folder, which do not read" : nil
    },
    takesValuesAs: { _, _, _, write, append, folder, _ in
      if append || folder != nil { return .input }
      return write ? .property : nil
    }
  ) { context, path, every, format, write, append, folder, name in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    func takeValues(_ plan: @escaping Inlet.Plan) {
      context.signal.inlet = Inlet(output: output, type: .any, isEndable: false, plan: plan)
    }
    if let folder, let name {
      let place = FileOutput.Place.below(folder: folder.path, name: context.evaluator(of: name))
      takeValues(FileOutput(place: place, format: format, isAppended: append, context: context).plan)
    } else if let path, append {
      takeValues(FileOutput(place: .path(path.text), format: format, isAppended: true, context: context).plan)
    } else if let path {
      let file = FollowedFile(path.text, format, isWritten: write, to: output, context)
      if write { takeValues(file.plan) }
      if let every { context.repeating(every: every) { file.read() } }
      context.onAttach { world, _ in file.follow(in: world, isWatched: every == nil) }
    }
    return stream
  }
  .alsoKnown(as: "watch file", "inotify", "config file")
}

/// A folder that a signal writes files to.
struct WrittenFolder: ParameterValue {
  let path: String

  static var typeName: String { FilePath.typeName }
  static var shape: ParameterShape { .text }
  var defaultText: String? { nil }
  var needs: [OutsideNeed] { [.writingBelow(path)] }

  static func read(_ node: ConfigNode, _ reading: ParameterReading) -> WrittenFolder? {
    reading.reader(node).path().map { WrittenFolder(path: $0) }
  }
}

/// A file whose content is a signal's value.
private final class FollowedFile {
  private let path: String
  private let format: FileFormat
  private let isWritten: Bool
  private let context: OperatorContext
  private let output: StreamObserver
  /// The last content emitted.
  private let last: Cell<[UInt8]?>
  /// The alarm for reading a file that its writer keeps open.
  private var pending: Alarm?

  /// The maximum delay between a write and the reading of a file that stays open.
  private static let patience = Duration.milliseconds(100)

  init(
    _ path: String, _ format: FileFormat, isWritten: Bool, to output: StreamObserver, _ context: OperatorContext
  ) {
    self.path = path
    self.format = format
    self.isWritten = isWritten
    self.output = output
    self.context = context
    last = context.cell(nil)
    let pending = Alarm(context) { [unowned self] _, _ in read() }
    context.body.onEnd { pending.dispose() }
    self.pending = pending
  }

  /// Reads the file now and, if watched, after each possible change.
  func follow(in world: any GraphWorld, isWatched: Bool) {
    if isWatched {
      let recorder = world.follow(ContentQuery(path: path)) { [self] in take($0) }
      context.body.onEnd { recorder.dispose() }
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
    guard let content = content(limit: context.limits.line), content != last.value else { return }
    last.value = content
    do throws(SignalFailure) {
      output.send(value: try format.payload(of: content))
    } catch {
      context.refuse(error, value: nil, output)
    }
  }

  private func content(limit: Int) -> [UInt8]? {
    isWritten
      ? context.world.contents(ofWrittenFile: path, limit: limit) : context.world.contents(ofFile: path, limit: limit)
  }

  /// Plans to write a value; followers of the file receive the value itself.
  func plan(_ value: Payload) throws(SendError) -> Inlet.Work {
    let content = try format.content(of: value)
    try context.checkSize(ofContent: content)
    return { [self] () throws(SendError) in
      try context.write(FileWriting(content, to: .absolute(path)))
      last.value = content
    }
  }
}
