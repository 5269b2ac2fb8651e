package import Signals

/// A signal that cannot resume from its saved state, and the error.
package struct StateMismatch {
  package let signal: String
  package let error: StateError
}
