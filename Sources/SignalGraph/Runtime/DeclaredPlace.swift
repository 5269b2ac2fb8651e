/// A place in the declaration of a running signal.
///
/// Where it stands among those of all signals is asked for each time, since a reload may move the signal.
struct DeclaredPlace {
  let signal: RunningSignal
  let index: Int

  /// Where it is settled: behind everything that it is computed from.
  var rank: Int { Int(signal.order) << 24 | index }

  /// Where it stands in the file.
  var position: Int { Int(signal.position) << 24 | index }
}
