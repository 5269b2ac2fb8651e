/// Collects the diagnostics of a configuration during reading, so that one run reports all of them.
///
/// Readers report here and continue.
package final class Problems {
  private var found: [Diagnostic] = []
  private(set) package var errorCount = 0
  package var hasErrors: Bool { errorCount > 0 }

  /// The references without a value so far.
  private(set) package var openReferences: [OpenReference] = []

  /// The example for the declaration being read.
  private var example: String?
  /// True for a configuration that has run before.
  private let isRecorded: Bool

  /// - Parameter isRecorded: True for a configuration that has run before, as a state log has it.
  package init(isRecorded: Bool = false) { self.isRecorded = isRecorded }

  /// The diagnostics so far, ordered by place.
  package var diagnostics: Diagnostics { Diagnostics(found) }

  package func report(_ diagnostic: Diagnostic) {
    if diagnostic.place.origin === PlaceOrigin.open { return }
    // The text at such a place may be valid once the reference has a value.
    if openReferences.contains(where: { $0.place == diagnostic.place }) { return }
    var diagnostic = diagnostic
    if diagnostic.severity == .error, diagnostic.suggestion == nil { diagnostic.example = example }
    found.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  /// Attaches an example to errors that are reported during `read` and have no suggestion of their own.
  ///
  /// A nested call replaces the example; `nil` removes it.
  package func withExample<Result>(_ example: String?, read: () -> Result) -> Result {
    let outer = self.example
    self.example = example
    defer { self.example = outer }
    return read()
  }

  package func error(
    _ message: String, at place: some Placed, suggestion: String? = nil, related: Diagnostic.Related? = nil,
    fixIt: FixIt? = nil
  ) {
    report(
      Diagnostic(
        .error, message, at: place.place, length: place.length, suggestion: suggestion, related: related,
        fixIt: fixIt))
  }

  /// Reports a declaration that is valid by its form and cannot do what it says.
  ///
  /// It is no error where it has run before: an earlier version accepted it, and its state log has to be replayed.
  package func unworkable(_ message: String, at place: some Placed, suggestion: String? = nil) {
    if !isRecorded { error(message, at: place, suggestion: suggestion) }
  }

  package func warning(
    _ message: String, at place: some Placed, suggestion: String? = nil, related: Diagnostic.Related? = nil,
    fixIt: FixIt? = nil
  ) {
    report(
      Diagnostic(
        .warning, message, at: place.place, length: place.length, suggestion: suggestion, related: related,
        fixIt: fixIt))
  }

  /// Records a reference that could not be checked; other errors at its place are suppressed.
  func leaveOpen(_ reference: OpenReference, at placed: some Placed) {
    if openReferences.contains(where: { $0.place == reference.place }) { return }
    report(Diagnostic(.note, reference.message, at: placed.place, length: placed.length))
    openReferences.append(reference)
  }

  /// Throws the diagnostics if one of them is an error.
  package func throwErrors() throws(Diagnostics) {
    if hasErrors { throw diagnostics }
  }
}
