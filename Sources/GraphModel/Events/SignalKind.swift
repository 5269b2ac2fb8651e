/// The kind of source at the head of a signal, in the words of the wire protocol.
package enum SignalKind: String, Sendable {
  case input
  case property
  case derived
  case source
  case action
}
