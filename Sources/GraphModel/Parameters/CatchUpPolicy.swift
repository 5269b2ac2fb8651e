/// The treatment of times that passed without their value.
package enum CatchUpPolicy: String, WordParameter {
  case run, skip
}
