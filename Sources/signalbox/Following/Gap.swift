/// A range of lost values: those after `from`, up to the one before `oldest`.
struct Gap: Equatable {
  let signal: String
  let from: Int
  let oldest: Int

  var text: String {
    let (first, last) = (from + 1, oldest - 1)
    return first >= last
      ? "\(signal): value \(first) is lost"
      : "\(signal): values \(first) to \(last) are lost"
  }
}
