package import Base
package import Signals

extension ExactText: StateCodable {
  package func encode(to writer: inout StateEncoder) { text.encode(to: &writer) }

  package init(from reader: inout StateDecoder) throws(StateError) { self.init(try String(from: &reader)) }
}
