extension SimulatedCluster {
  /// An event that a round may contain: rounds without it would test less than they seem to.
  package enum Incident: CaseIterable, Sendable {
    /// A node began from a snapshot.
    case recovered
    /// A follower had to continue from a snapshot, since what it would have read next was purged.
    case overtaken
    case claimRefused
    /// An owner was replaced while a commit was under way.
    case dropped
    /// An owner was replaced, and the fate of its commit could not be known.
    case purgedUnderway
    /// An owner was replaced while it had no work.
    case fencedIdle
    /// Two nodes believed that they own.
    case twoOwners
    case closed
    case snapshotTaken
    /// An append was repeated.
    case repeated
    /// Several sends were forwarded in one request.
    case sentTogether
    /// A send was forwarded to an owner of an earlier version.
    case sentToFormer
    /// A record that was refused was found at its place.
    case ownFound
  }
}
