import Billing
import Foundation
import Support
import Testing

/// Goal: `--lang zh-Hans` changes what a person reads and nothing else. Method: the same calls in
/// both languages.
@Suite struct LanguageTests {
  private func findings(_ json: String) throws -> [[String: Any]] {
    let root = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return try #require(root?["findings"] as? [[String: Any]])
  }

  @Test func `findings have the same ids, in other words`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    _ = try folder.importing("orders.csv", Inputs.salesName(day: 1))
    let call = ["reconcile", "--period", "2023-06", "--as-of", "2023-07-05", "--format", "json"]
    let english = try CommandLineRun(call + ["--lang", "en"], in: folder)
    let chinese = try CommandLineRun(["--lang=zh-Hans"] + call, in: folder)
    #expect(english.status == 0 && chinese.status == 0)
    let (ours, theirs) = (try findings(english.output), try findings(chinese.output))
    #expect(!ours.isEmpty)
    let ids = { (all: [[String: Any]]) in all.map { $0["id"] as? String } }
    #expect(ids(ours) == ids(theirs))
    for (left, right) in zip(ours, theirs) {
      for key in ["explanation", "action"] {
        let (before, after) = (left[key] as? String ?? "", right[key] as? String ?? "")
        #expect(before != after && after.contains(#/\p{Han}/#), "\(before): \(after)")
      }
    }
  }

  /// Each command, by what stands before `--help`.
  @Test(arguments: [
    "", "import", "reconcile", "close", "reopen", "closes", "finding", "finding accept",
    "finding list", "plan", "plan rate", "plan price", "plan packs", "plan what-if", "price",
    "explain", "export", "sql", "status", "config", "config init", "doctor", "template",
    "completions", "manual",
  ])
  func `help is Chinese, but for names and what is typed`(command: String) throws {
    let folder = try TemporaryFolder()
    let words = command.split(separator: " ").map(String.init)
    let help = try CommandLineRun(words + ["--help", "--lang", "zh-Hans"], in: folder)
    #expect(help.status == 0)
    #expect(help.errors.isEmpty)
    #expect(help.output.contains("用法：tieout"))
    let said = help.output.split(separator: "\n").filter { !$0.hasPrefix("  tieout ") }
    let english = said.joined(separator: "\n").matches(
      of: #/(?:^|[，。：； ])([a-z]{3,} [a-z]{2,} [a-z]{2,})/#
    )
    .map { String($0.1) }
    let queries: Set<String> = ["group by sku"]
    #expect(english.filter { !$0.hasPrefix("tieout ") && !queries.contains($0) } == [])
    for line in help.output.split(separator: "\n") {
      let width = line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
      #expect(width <= 80, "\(line)")
    }
  }

  /// What asks for Chinese, and what for English although something else asks for Chinese.
  @Test func `the option goes before the configuration, and that before the environment`() throws {
    let folder = try TemporaryFolder()
    func isChinese(_ arguments: String..., environment: [String: String] = [:]) throws -> Bool {
      try CommandLineRun(["status", "--help"] + arguments, in: folder, environment: environment)
        .output.contains("用法")
    }
    for name in ["zh", "zh-CN", "zh_CN.UTF-8", "zh-Hans", "zh-hans-sg"] {
      #expect(try isChinese("--lang", name))
      #expect(try isChinese(environment: ["LANG": name]))
    }
    #expect(try !isChinese(environment: ["LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"]))
    #expect(try !isChinese(environment: ["LANG": "zh_TW.UTF-8"]))
    #expect(try !isChinese(environment: ["LANG": ""]))
    try folder.write("tieout.toml", "tolerance = 1\n  language = 'zh-CN' # ours\n")
    #expect(try isChinese(environment: ["LANG": "C"]))
    #expect(try !isChinese("--lang", "en"))
    #expect(try isChinese("--config", "tieout.toml", "--ledger", "x/y.sqlite"))
    try folder.write("tieout.toml", "language = \"fr\"\n")
    #expect(try CommandLineRun("status", "--lang", "zh-TW", in: folder).status == 64)
    let wrong = try CommandLineRun("config", in: folder)
    #expect(wrong.status == 2 && wrong.errors.contains("tieout.toml:1:1: error[config]: language"))
  }

  @Test func `wrong usage is told in Chinese`() throws {
    let folder = try TemporaryFolder()
    for (arguments, expected) in [
      (["status", "--ledgr", "x"], "没有选项 --ledgr"),
      (["reconcile"], "请指明要对账的期间"), (["close"], "缺少 <期间>"),
      (["status", "--as-of", "2023-02-30"], "应为日期"),
    ] {
      let run = try CommandLineRun(["--lang", "zh-Hans"] + arguments, in: folder)
      #expect(run.status == 64)
      #expect(run.errors.contains(expected), "\(run.errors)")
    }
  }

  @Test func `what stops a command and what is wrong with input is told in Chinese`() throws {
    let folder = try TemporaryFolder()
    let missing = try CommandLineRun("status", "--lang", "zh-Hans", in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors.hasPrefix("tieout: 错误：没有账本文件："))
    try folder.write("bad.csv", Inputs.orderHeader + "O1,a,paid,1685577600,\"1,54\",CNY,CN\n")
    let bad = try CommandLineRun("import", "bad.csv", "--lang", "zh-Hans", in: folder)
    #expect(bad.status == 2)
    #expect(bad.errors.hasPrefix("bad.csv:2:22: 错误[amount]: unit_price 不是小数：\"1,54\"\n"))
  }
}
