/// One value shared by many holders.
package final class Shared<Value: Sendable>: Sendable {
  let value: Value

  package init(_ value: Value) { self.value = value }
}
