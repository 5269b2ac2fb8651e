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
    let place = context.cell(TailPlace?.none)
    context.onAttach { world, _ in
      let watch = world.tail(file: path.text, from: place.value) { event in
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
