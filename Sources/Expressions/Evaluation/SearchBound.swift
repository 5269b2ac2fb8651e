/// The bound on an evaluation's searches besides its steps: their time, or where that was over before.
package enum SearchBound {
  /// Searches may take a time in all; what numbers the evaluation identifies it in `Environment.onSearchCut`.
  case time(evaluation: Int)
  /// No time: a repetition of an evaluation that took less, or one in virtual time.
  case none
  /// A repetition of an evaluation that was cut at a piece of its searching, counted from 1.
  case cut(piece: Int)
}
