/// The contents of a text in OpenMetrics 1.0, parsed strictly.
struct OpenMetrics {
  /// A name with its labels, and the value.
  private(set) var samples: [String: Double] = [:]
  /// Lines that violate the format.
  private(set) var mistakes: [String] = []
  private var family = ""
  private var kind = ""
  private var families: Set<String> = []

  init(_ text: String) {
    if !text.hasSuffix("\n# EOF\n") { mistakes.append("no # EOF at the end") }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2) { read(String(line)) }
  }

  private mutating func read(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    guard words.first == "#" else { return readSample(line) }
    guard words.count == 4 else { return mistakes.append(line) }
    switch words[1] {
    case "HELP":
      family = words[2]
      if !families.insert(family).inserted { mistakes.append("\(family) comes twice") }
    case "TYPE" where words[2] == family:
      kind = words[3]
      if ["_total", "_info", "_count", "_sum"].contains(where: family.hasSuffix) { mistakes.append(line) }
    case "UNIT" where words[2] == family && family.hasSuffix("_" + words[3]): break
    default: mistakes.append(line)
    }
  }

  private mutating func readSample(_ line: String) {
    guard let blank = line.lastIndex(of: " "), let value = Double(line[line.index(after: blank)...]) else {
      return mistakes.append(line)
    }
    let sample = String(line[..<blank])
    let name = String(sample.prefix { $0 != "{" })
    let suffixes = ["counter": ["_total"], "info": ["_info"], "summary": ["_sum", "_count"]][kind] ?? [""]
    if !suffixes.contains(where: { name == family + $0 }) || samples[sample] != nil { mistakes.append(line) }
    if kind == "counter", value < 0 { mistakes.append(line) }
    samples[sample] = value
  }
}
