/// A `${…}` without a value here that may have one where the configuration runs.
package struct OpenReference: Sendable {
  package enum Subject: Hashable, Sendable {
    case variable(_ name: String)
    case credential(_ name: String)
    /// A file that the current user has no permission to read.
    case file(_ path: String)
  }

  package let subject: Subject
  package let place: Place

  var message: String {
    switch subject {
    case .variable(let name): "${\(name)} not checked: the variable is not set here; the daemon needs it"
    case .credential(let name):
      "${cred:\(name)} not checked: only the service has it (LoadCredential=\(name))"
    case .file(let path): "\(path) not checked: no read permission here; the daemon needs it"
    }
  }
}
