import JSON
import ReactiveCore

extension SourceDeclaration {
  static let tail = SourceDeclaration(
    "tail", "Emits each line that is appended to a file from now on, also after it was rotated.", kind: .source,
    Parameter<FilePath>("path", "an absolute path; the file may be missing", .plain),
    Parameter<LineFormat>("format", "the format of a line", .free, initial: .text)
  ) { context, path, format in
    let (stream, output) = Stream.pipe()
    context.keep(output)
    let lines = LineValues(format, to: output, context)
    context.onAttach { world in
      let watch = world.tail(file: path.text) { event in
        switch event {
        case .appended(let bytes): lines.append(bytes)
        case .rotated: lines.finish()
        case .truncated: lines.discard()
        }
      }
      context.body.onEnd { watch.dispose() }
    }
    return stream
  }
}
