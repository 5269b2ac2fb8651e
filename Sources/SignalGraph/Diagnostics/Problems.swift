/// Collects what is wrong while a configuration is read, so that a person hears of everything at once.
///
/// Whoever reads reports here and goes on with what is left.
package final class Problems {
  private var found: [Diagnostic] = []
  private(set) package var errorCount = 0
  package var hasErrors: Bool { errorCount > 0 }

  package init() {}

  /// Everything so far, ordered by place.
  package var diagnostics: Diagnostics { Diagnostics(found) }

  package func report(_ diagnostic: Diagnostic) {
    found.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
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
