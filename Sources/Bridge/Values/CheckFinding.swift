/// The result of trying a connection.
struct CheckFinding: Sendable {
  let connection: String
  let kind: String
  let text: String
  let isGood: Bool
}
