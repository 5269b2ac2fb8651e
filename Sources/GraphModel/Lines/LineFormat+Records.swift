extension LineFormat {
  /// The problem in the format of records, which come one by one.
  package var problemInRecords: String? {
    guard hasHeader else { return nil }
    return "the first line of csv names its columns, and a record has one line: give the columns, "
      + "as in format: {csv: [time, level]}"
  }
}
