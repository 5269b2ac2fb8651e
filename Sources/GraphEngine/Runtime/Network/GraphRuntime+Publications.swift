import Expressions
import GraphModel
import JSON

extension GraphRuntime {
  /// Returns the payload of the message that a publication with a fixed, retained topic makes of the value that its signal
  /// holds; `nil` if there is none.
  ///
  /// A broker may have lost it, and an adapter that has started since cannot know it.
  package func presentPayload(of publication: (signal: String, place: Int)) -> String? {
    guard let declaration = signal(named: publication.signal)?.declaration,
      declaration.publications.indices.contains(publication.place), let origin = declaration.upstream.first,
      let value = signal(named: origin)?.retained.all.last?.payload
    else { return nil }
    let settings = declaration.publications[publication.place]
    guard settings.isRetained, case .fixed = settings.topic else { return nil }
    guard let payload = settings.payload else { return value.value.messageText }
    // A value that the expression refuses was not published either.
    return (try? payload.expression.first(value, engine.outsideEnvironment()))?.messageText
  }
}
