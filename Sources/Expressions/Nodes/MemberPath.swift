internal import JSON

/// The keys of a member of a member, as in `.reading.celsius`.
final class MemberPath: Sendable {
  let outer: MemberKey
  let inner: MemberKey

  init(outer: MemberKey, inner: MemberKey) { (self.outer, self.inner) = (outer, inner) }
}
