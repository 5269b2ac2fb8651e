/// A place in the declaration of a running signal.
///
/// Its position among those of all signals is computed on each use, since a reload may move the signal.
package struct DeclaredPlace {
  package let signal: RunningSignal
  package let index: Int

  /// The rank of settling: after everything that it is computed from.
  var rank: Int { Int(signal.order) << 24 | index }

  /// The position in the file.
  var position: Int { Int(signal.position) << 24 | index }
}
