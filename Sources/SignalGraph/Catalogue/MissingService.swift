/// The value of a property while nobody owns the name of its service.
enum MissingService: String, WordParameter {
  /// It is `null`.
  case null
  /// It stays what it was.
  case keep
  /// The signal fails.
  case fail
}
