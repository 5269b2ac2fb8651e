/// The treatment of times that passed without their value.
enum CatchUpPolicy: String, WordParameter {
  case run, skip
}
