import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let watch = SourceDeclaration(
    "watch", "Emits {path, event, size, modified} for each file created, changed or removed below a folder.",
    kind: .source,
    Parameter<FilePath>("folder", "an absolute path; the folder may be missing", .plain),
    Parameter<FilePattern>(
      "pattern", "the files below the folder: *, ?, [a-z], and ** for any number of folders",
      initial: FilePattern(text: "*")),
    Parameter<FileEvents>("events", "the events to emit; overflow is always emitted", initial: .all),
    Parameter<TailBeginning>(
      "from", "where a run starts: after the existing files, or with them, emitted as created", initial: .end),
    Parameter<Int>("limit", "the maximum number of files", initial: 10_000, minimum: 1)
  ) { context, folder, pattern, events, from, limit in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let path = folder.text.split(separator: "/").joined(separator: "/")
    let query = FolderQuery(
      folder: "/\(path)", pattern: pattern.text, limit: limit, owner: context.signal.name)
    let changes = FolderChanges(
      query, emitting: Set(events.words), includingFound: from == .start, to: output, context)
    context.onAttach { world, _ in
      let watch = world.follow(query, from: changes.known()) { changes.receive($0) }
      context.body.onEnd { watch.dispose() }
    }
    return stream
  }
  .alsoKnown(as: "inotify", "fswatch", "folder", "directory", "incron", "new file")
}
