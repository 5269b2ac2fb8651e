import CSystemd
import Glibc

/// The two ends of a pipe (`pipe2(2)`), which no program inherits.
struct Pipe: ~Copyable {
  let reader: OwnedDescriptor
  let writer: OwnedDescriptor

  init() throws(Errno) {
    var numbers: [Int32] = [-1, -1]
    if pipe2(&numbers, O_CLOEXEC) == -1 { throw .last("pipe2") }
    reader = OwnedDescriptor(owning: numbers[0])
    writer = OwnedDescriptor(owning: numbers[1])
  }
}
