/// The result of trying a connection.
package struct CheckFinding: Sendable {
  package let connection: String
  package let kind: String
  package let text: String
  package let isGood: Bool
}
