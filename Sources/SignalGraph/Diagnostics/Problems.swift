/// Collects what is wrong while a configuration is read, so that a person hears of everything at once.
///
/// Whoever reads reports here and goes on with what is left.
package final class Problems {
  private var found: [Diagnostic] = []
  private(set) package var errorCount = 0
  package var hasErrors: Bool { errorCount > 0 }

  /// How what is being read now is written.
  private var example: String?

  package init() {}

  /// Everything so far, ordered by place.
  package var diagnostics: Diagnostics { Diagnostics(found) }

  package func report(_ diagnostic: Diagnostic) {
    var diagnostic = diagnostic
    if diagnostic.severity == .error, diagnostic.suggestion == nil { diagnostic.example = example }
    found.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
  }

  /// Shows an example with the errors of something that is read, where they suggest nothing themselves.
  ///
  /// What is read within it may have an example of its own, or with `nil` none.
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

  /// Ends the reading if there was an error; warnings alone do not.
  package func throwErrors() throws(Diagnostics) {
    if hasErrors { throw diagnostics }
  }
}
