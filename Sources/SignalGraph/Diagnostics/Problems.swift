/// Collects the mistakes of a configuration while it is read, so that a person sees all of them at once.
///
/// Readers report here and go on with the rest.
package final class Problems {
  private var found: [Diagnostic] = []
  private(set) package var errorCount = 0
  package var hasErrors: Bool { errorCount > 0 }

  /// The references that were left open so far.
  private(set) package var openReferences: [OpenReference] = []

  /// An example of the thing that is being read.
  private var example: String?

  package init() {}

  /// Everything so far, ordered by place.
  package var diagnostics: Diagnostics { Diagnostics(found) }

  package func report(_ diagnostic: Diagnostic) {
    if diagnostic.place.origin === PlaceOrigin.open { return }
    // The text at such a place may be right, once it is known.
    if openReferences.contains(where: { $0.place == diagnostic.place }) { return }
    var diagnostic = diagnostic
    if diagnostic.severity == .error, diagnostic.suggestion == nil { diagnostic.example = example }
    found.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  /// Shows an example with the errors of something that is read, where they suggest nothing themselves.
  ///
  /// A thing that is read within it may have an example of its own, or with `nil` none.
  func withExample<Result>(_ example: String?, read: () -> Result) -> Result {
    let outer = self.example
    self.example = example
    defer { self.example = outer }
    return read()
  }

  package func error(
    _ message: String, at place: some Placed, suggestion: String? = nil, related: Diagnostic.Related? = nil
  ) {
    report(
      Diagnostic(
        .error, message, at: place.place, length: place.length, suggestion: suggestion, related: related))
  }

  package func warning(
    _ message: String, at place: some Placed, suggestion: String? = nil, related: Diagnostic.Related? = nil
  ) {
    report(
      Diagnostic(
        .warning, message, at: place.place, length: place.length, suggestion: suggestion, related: related))
  }

  /// Notes a thing that could not be looked at; other mistakes at its place are not reported.
  func leaveOpen(_ reference: OpenReference, at placed: some Placed) {
    if openReferences.contains(where: { $0.place == reference.place }) { return }
    report(Diagnostic(.note, reference.message, at: placed.place, length: placed.length))
    openReferences.append(reference)
  }

  /// Ends the reading if there was an error; warnings alone do not.
  package func throwErrors() throws(Diagnostics) {
    if hasErrors { throw diagnostics }
  }
}
