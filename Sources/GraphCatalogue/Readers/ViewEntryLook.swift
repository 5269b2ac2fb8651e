import Base
import GraphModel
import JSON

/// The keys of an entry of a view that say how it is shown.
struct ViewEntryLook {
  static let keys = ["as", "title", "period", "minimum", "maximum", "press"]

  let form: ViewDeclaration.Form?
  private let title: String?
  let period: Duration?
  let minimum: Double?
  let maximum: Double?
  let press: JSONValue?

  init(_ mapping: MappingReader) {
    form = mapping.optional("as")?.choice()
    title = mapping.optional("title")?.text()
    period = mapping.optional("period")?.duration(in: .seconds(10)...DurationText.longest)
    minimum = mapping.optional("minimum")?.number()
    maximum = mapping.optional("maximum")?.number()
    press = mapping.optional("press")?.literal()
  }

  /// Returns the title of one signal of a pattern, where `*` stands for what it stands for in the pattern.
  func title(_ captures: [String]) -> String? {
    guard let title, !captures.isEmpty else { return title }
    let parts = title.split(separator: "*", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      index == 0 ? String(part) : captures[min(index - 1, captures.count - 1)] + part
    }.joined()
  }
}
