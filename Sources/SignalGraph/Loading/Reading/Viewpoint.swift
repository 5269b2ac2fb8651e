/// Where a configuration is read from, which decides what may be missing there.
package enum Viewpoint: Sendable {
  /// Where the graphs are to run: what is missing is a mistake.
  case service
  /// With the environment of the service's unit, as far as that is known: a variable may yet be added to it.
  case unit
  /// Anywhere else: what the file leaves to the service, with `${VAR:?message}` or `${cred:name}`, may be there.
  case elsewhere
}
