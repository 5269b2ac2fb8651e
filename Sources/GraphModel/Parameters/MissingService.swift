/// The treatment of a property while its service's name has no owner.
package enum MissingService: String, WordParameter {
  /// The value is `null`.
  case null
  /// The last value stays.
  case keep
  /// The signal fails.
  case fail
}
