extension Problems {
  /// Warns about the deprecated name of a key or parameter.
  package func deprecated(_ key: ConfigNode, nowCalled name: String) {
    warning(
      "\"\(key.scalar?.text ?? "")\" is deprecated: use \"\(name)\"", at: key, fixIt: FixIt(replacing: key, with: name))
  }
}
