// The driver of the Swift library; clients/conformance/README.md describes its language.

import Foundation
import SignalboxClient

/// The lines of standard input, read on a thread of its own.
let lines = AsyncStream<String> { continuation in
  Thread.detachNewThread {
    while let line = readLine() { continuation.yield(line) }
    continuation.finish()
  }
}

let driver = Driver()
for await line in lines {
  await driver.carryOut(try JSONDecoder().decode([String: JSONValue].self, from: Data(line.utf8)))
}
