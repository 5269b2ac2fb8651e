/// The place where a configuration is read, which decides what may be missing.
package enum Viewpoint: Sendable {
  /// The place where the graphs run: a missing value is an error.
  case service
  /// The environment of the service's unit, as far as known: a variable may still be added to it.
  case unit
  /// Anywhere else: values that the file leaves to the service, with `${VAR:?message}` or `${cred:name}`, may exist
  /// there.
  case elsewhere
}
