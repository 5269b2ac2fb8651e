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
    check: { _, format, from, _ in
      format.hasHeader && from == .end
        ? "the first line of csv names its columns, and is not read where a run begins at the end: give the columns, "
          + "as in format: {csv: [time, level]}, or from: start" : nil
    }
  ) { context, path, format, from, multiline in
    let (stream, output) = Stream.pipe()
    context.keep(output)
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

/// Where a tail begins that has not read anything before.
enum TailBeginning: String, WordParameter {
  case end, start
}

extension Multiline {
  static let meaning =
    "an expression that says of a line whether it begins another record, to which those that follow belong; "
    + "{begins, wait} says also how long a record waits for its next line (1s)"
}
