import JSON
import ReactiveCore

extension SourceDeclaration {
  static let tail = SourceDeclaration(
    "tail", "Emits each line that is appended to a file, also after it was rotated.", kind: .source,
    Parameter<FilePath>("path", "an absolute path; the file may be missing", .plain),
    Parameter<LineFormat>("format", "the format of a line", .free, initial: .text),
    Parameter<TailBeginning>(
      "from", "whether a run begins at the present end of the file or at its start", initial: .end),
    Parameter<Multiline?>("multiline", Multiline.meaning, initial: .some(nil)),
    Parameter<Bool>(
      "glob", "whether the last part of path is a pattern (*, ?, [a-z]) for many files, whose values are {path, value}",
      initial: false),
    check: { path, format, from, _, glob in
      if glob, path.folder.contains(where: FilePath.wildcards.contains) {
        return "glob: only the last part of the path can be a pattern"
      }
      return format.hasHeader && from == .end
        ? "the first line of csv names its columns, and is not read where a run begins at the end: give the columns, "
          + "as in format: {csv: [time, level]}, or from: start" : nil
    },
    advice: { path, _, _, _, glob in
      let isPattern = path.text.contains(where: FilePath.wildcards.contains)
      if glob { return isPattern ? nil : "glob: there is no *, ? or [ in the last part of the path" }
      return path.text.contains("*") ? "this is one file whose name has a *; say glob: true if it is a pattern" : nil
    }
  ) { context, path, format, from, multiline, glob in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    if glob {
      let files = GlobTail(format, multiline: multiline, to: output, context)
      context.onAttach { world, _ in
        let watch = world.tail(pattern: path.text, from: files.start(from)) { files.receive($0) }
        context.body.onEnd { watch.dispose() }
      }
      return stream
    }
    let lines = LineValues(format, multiline: multiline, to: output, context)
    let place = context.cell(TailPlace?.none)
    context.onAttach { world, _ in
      let start = place.value.map(TailStart.place) ?? (from == .start ? .beginning : .end)
      let watch = world.tail(file: path.text, from: start) { event in
        switch event {
        case .appended(let bytes): lines.append(bytes)
        case .rotated: lines.finish()
        case .truncated: lines.discard()
        case .reached(let reached): place.value = reached
        }
      }
      context.body.onEnd { watch.dispose() }
    }
    return stream
  }
}

extension FilePath {
  /// The characters that make a pattern of a name.
  fileprivate static let wildcards: Set<Character> = ["*", "?", "["]

  /// All before its last part.
  fileprivate var folder: Substring { text[..<(text.lastIndex(of: "/") ?? text.startIndex)] }
}

/// Where a tail begins that has not read anything before.
enum TailBeginning: String, WordParameter {
  case end, start
}

extension Multiline {
  static let meaning =
    "an expression that says of a line whether it begins another record, to which those that follow belong; "
    + "{begins, wait} says also how long a record waits for its next line (1s)"
}
