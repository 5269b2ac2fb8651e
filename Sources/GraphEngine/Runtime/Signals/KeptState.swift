import Signals

/// The saved state of a body that is not built yet; boxed, since most signals have none.
final class KeptState {
  let decoder: StateDecoder

  init(_ decoder: StateDecoder) { self.decoder = decoder }
}
