/// An error that ends the reading of a file, since the rest can no longer be understood.
struct SyntaxError: Error {
  let diagnostic: Diagnostic

  init(_ message: String, at place: some Placed, related: Diagnostic.Related? = nil) {
    diagnostic = Diagnostic(.error, message, at: place.place, length: place.length, related: related)
  }
}
