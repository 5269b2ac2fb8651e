/// The place from which a configuration is read, which decides what may be missing.
package enum Viewpoint: Sendable {
  /// The place where the graphs are to run: a missing thing is a mistake.
  case service
  /// With the environment of the service's unit, as far as that is known: a variable may yet be added to it.
  case unit
  /// Anywhere else: things that the file leaves to the service, with `${VAR:?message}` or `${cred:name}`, may be there.
  case elsewhere
}
