/// A `${…}` that may have a value where the configuration is to run, but has none where it is read.
package struct OpenReference: Sendable {
  package enum Subject: Hashable, Sendable {
    case variable(_ name: String)
    case credential(_ name: String)
    /// A file that this user may not read.
    case file(_ path: String)
  }

  package let subject: Subject
  package let place: Place

  var message: String {
    switch subject {
    case .variable(let name): "${\(name)} is not looked at: the variable is not set here, and must be for the daemon"
    case .credential(let name):
      "${cred:\(name)} is not looked at: systemd gives it to the service alone (LoadCredential=\(name))"
    case .file(let path): "\(path) is not looked at: you may not read it, and the daemon must"
    }
  }
}
