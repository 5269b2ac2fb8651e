/// The chosen runs that stand aside for a while, as calls do that are to be tried again: others run in their place.
package final class ChosenAside {
  /// The most runs that may stand aside.
  let most: Int
  private var runs: Set<ObjectIdentifier> = []
  /// Called once another run has stood aside.
  var onChange: () -> Void = {}

  package init(most: Int) { self.most = most }

  var count: Int { runs.count }

  /// Excludes a run.
  func step(_ run: AnyObject) {
    guard runs.insert(ObjectIdentifier(run)).inserted else { return }
    onChange()
  }

  /// Registers a run that resumes from a state in which it was set aside.
  func resume(_ run: AnyObject) { runs.insert(ObjectIdentifier(run)) }

  /// Includes a run again, or removes it.
  func leave(_ run: AnyObject) { runs.remove(ObjectIdentifier(run)) }
}
