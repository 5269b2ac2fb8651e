/// The types that a declaration can ask of the values sent to it.
package enum ValueType: String, CaseIterable, Sendable {
  case any, integer, number, string, boolean, object, array
}
