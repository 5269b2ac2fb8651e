import GraphEngine
import GraphModel
import JSON
import Signals

extension SourceDeclaration {
  static let tail = SourceDeclaration(
    "tail", "Emits each line appended to a file, across rotation.", kind: .source,
    Parameter<FilePath>("path", "an absolute path; the file may be missing", .plain),
    Parameter<LineFormat>("format", "the format of a line", .free, initial: .text),
    Parameter<LineEncoding>("encoding", LineEncoding.meaning, initial: .utf8),
    Parameter<TailBeginning>(
      "from", "where a run starts: at the current end of the file, or at its start", initial: .end),
    Parameter<Multiline?>("multiline", Multiline.meaning, initial: .some(nil)),
    Parameter<Bool>(
      "glob", "treat the last part of path as a pattern (*, ?, [a-z]) for many files; values are {path, value}",
      initial: false),
    check: { path, format, _, from, _, glob in
      if glob, path.folder.contains(where: FilePath.wildcards.contains) {
        return "glob: only the last part of the path can be a pattern"
      }
      return format.hasHeader && from == .end
        ? "the first line of csv, with the column names, is not read from the end: give the columns, "
          + "as in format: {csv: [time, level]}, or from: start" : nil
    },
    advice: { path, _, _, _, _, glob in
      let isPattern = path.text.contains(where: FilePath.wildcards.contains)
      if glob, path.text.hasOpenBracket {
        return "glob: the [ has no ], so it stands for itself; write [[] for a literal one"
      }
      if glob { return isPattern ? nil : "glob requires *, ? or [ in the last part of the path" }
      return path.text.contains("*") ? "a * in the name is literal; set glob: true for a pattern" : nil
    }
  ) { context, path, format, encoding, from, multiline, glob in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    if glob {
      let files = GlobTail(format, encoding, multiline: multiline, to: output, context)
      context.onAttach { world, _ in
        let query = GlobQuery(pattern: path.text, owner: context.signal.name)
        let recorder = world.follow(query, from: files.start(from)) { files.receive($0) }
        context.body.onEnd { recorder.dispose() }
      }
      return stream
    }
    let lines = LineValues(format, encoding, multiline: multiline, to: output, context)
    let place = context.cell(TailPlace?.none)
    context.onAttach { world, _ in
      let start = place.value.map(TailStart.place) ?? (from == .start ? .beginning : .end)
      let recorder = world.follow(TailQuery(path: path.text, owner: context.signal.name), from: start) { event in
        switch event {
        case .appended(let bytes): lines.append(bytes)
        case .rotated: lines.finish()
        case .truncated: lines.discard()
        case .reached(let reached): place.value = reached
        }
      }
      context.body.onEnd { recorder.dispose() }
    }
    return stream
  }
  .alsoKnown(as: "log file", "logs", "follow", "tail -f")
}

extension FilePath {
  /// The wildcard characters of file name patterns.
  fileprivate static let wildcards: Set<Character> = ["*", "?", "["]

  /// The path without its last component.
  fileprivate var folder: Substring { text[..<(text.lastIndex(of: "/") ?? text.startIndex)] }
}

extension Multiline {
  static let meaning =
    "an expression that is true for the first line of a record, which the following lines continue; "
    + "{begins, wait} also sets the time to wait for its next line (1s)"
}
