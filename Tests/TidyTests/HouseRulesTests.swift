import Billing
import Testing

/// Goal: the rules of the house that no compiler keeps. Method: patterns over the code, the string
/// literals or the comments of all sources; a failure names the place.
struct HouseRulesTests {
  @Test func noBinaryFloatHoldsMoney() {
    let float = #/\b(?:Double|Float|Float16|Float32|Float64|Float80|CGFloat)\b/#
    // Probabilities and deviations are no money.
    let statistics = ["Sources/Matching/Patterns/", "Sources/Matching/Flow/"]
    for file in SourceFile.swift
    where ["Billing", "Pricing", "Conclusions", "Matching"].contains(file.target)
      && !statistics.contains(where: file.path.hasPrefix)
    {
      expectNone(file.places(of: float, in: \.code), "money is never a binary float")
    }
    let money =
      #/
      (?i) \b \w* (?:money|price|proceeds|amount|gross|micros|commission|tax) \w*
      \s* : \s* \[? (?:Double|Float|CGFloat) \b
      /#
    for file in SourceFile.swift {
      expectNone(file.places(of: money, in: \.code), "money is never a binary float")
    }
  }

  @Test func sqlStandsInTheLedgerOnly() {
    let sql =
      #/
      \b (?: SELECT\s+\S | INSERT\s+(?:OR\s+\w+\s+)?INTO | UPDATE\s+\w+\s+SET | DELETE\s+FROM
      | (?:CREATE|DROP|ALTER)\s+(?:VIRTUAL\s+|UNIQUE\s+)?(?:TABLE|INDEX|VIEW) | PRAGMA\s+\w )
      /#
    for file in SourceFile.swift where file.isSource && file.target != "Ledger" {
      expectNone(file.places(of: sql, in: \.strings), "SQL belongs in Ledger")
    }
  }

  @Test func onlyCommandLinesPrint() {
    let prints = #/(?:^|[^.\w])(?:print|debugPrint)\(/#
    for file in SourceFile.swift where !["tieout", "SimulateProgram"].contains(file.target) {
      expectNone(file.places(of: prints, in: \.code), "only command lines print")
    }
  }

  @Test func nothingIsLeftForLater() {
    let later = #/\b(?:TODO|FIXME|XXX|HACK)\b/#
    for file in SourceFile.swift {
      expectNone(file.places(of: later, in: \.comments), "finish it, or open an issue")
    }
  }

  @Test func errorsAreNeverForcedAway() {
    for file in SourceFile.swift {
      expectNone(file.places(of: #/\btry!/#, in: \.code), "handle the error or let it pass")
    }
  }

  @Test func linesAndFilesStayShort() {
    for file in SourceFile.all {
      let lines = numberedLines(Array(file.text.utf8))
      #expect(lines.count <= 601, "\(file.path): \(lines.count - 1) lines, more than 600")
      #expect(file.text.hasSuffix("\n") || file.text.isEmpty, "\(file.path): no newline at the end")
      for line in lines {
        #expect(line.text.count <= 100, "\(file.path):\(line.number): more than 100 columns")
        #expect(line.text.last?.isWhitespace != true, "\(file.path):\(line.number): trailing space")
        #expect(!line.text.contains("\t"), "\(file.path):\(line.number): a tab")
      }
    }
  }

  @Test func eachFindingCodeIsExplainedAndNamedAsItIsWritten() {
    for file in SourceFile.swift where file.isSource {
      let lines = numberedLines(Array(file.text.utf8)).map(\.text)
      for (line, before) in zip(lines.dropFirst(), lines)
      where line.hasPrefix("  package static let ") && line.contains("FindingCode(\"") {
        #expect(before.hasPrefix("  /// ") && before.hasSuffix("."), "\(file.path): \(line)")
        let (name, code) = (line.split(separator: " ")[3], line.split(separator: "\"")[1])
        #expect(
          name.lowercased() == code.replacing("-", with: ""), "\(file.path): \(line)")
      }
    }
  }

  private func expectNone(_ places: [String], _ rule: Comment) {
    for place in places { Issue.record("\(place) (\(rule))") }
  }
}
