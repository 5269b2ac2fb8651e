/// The position at which a tail without a saved position begins.
package enum TailBeginning: String, WordParameter {
  case end, start
}
