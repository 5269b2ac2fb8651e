/// The earlier events that an output of a source or an operator depends on.
///
/// `why` uses it to name the inputs that suffice to reproduce a value; `DependenceTests` derives it by leaving inputs
/// out.
package enum Dependence: Sendable {
  /// No earlier event: the present one alone determines the output.
  case event
  /// The events that its memory was made from: these alone would leave the same values in it.
  case memory
  /// All events that it ever received: they were counted, folded, or passed over on the way.
  case history
}
