internal import Linux

extension Transfer {
  /// Reads the available bytes, 64 KiB at most; `nil` at the end.
  func readChunk() throws(Errno) -> [UInt8]? {
    var result: Result<ReadResult, Errno> = .success(.end)
    let chunk = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
      do throws(Errno) { result = .success(try read(into: UnsafeMutableRawBufferPointer(buffer))) } catch {
        result = .failure(error)
      }
      if case .success(.bytes(let size)) = result { count = size }
    }
    return try result.get() == .end ? nil : chunk
  }
}
