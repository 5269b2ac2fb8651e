package import Linux
package import Signals

extension MonotonicInstant: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.signed(nanoseconds) }
  package init(from reader: inout StateDecoder) throws(StateError) { self.init(nanoseconds: try reader.signed()) }
}

extension WallTime: StateCodable {
  package func encode(to writer: inout StateEncoder) { writer.signed(microseconds) }
  package init(from reader: inout StateDecoder) throws(StateError) { self.init(microseconds: try reader.signed()) }
}
