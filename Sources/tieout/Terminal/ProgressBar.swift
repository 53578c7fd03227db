import Billing
import Foundation
import Languages
import Workflow

/// One line on standard error that says how far an import is, redrawn at most ten times a second.
final class ProgressBar {
  private static let interval = Duration.milliseconds(100)
  private static let cells = 20

  private let terminal: Terminal
  private let clock = ContinuousClock()
  private let began: ContinuousClock.Instant
  private var drawn: ContinuousClock.Instant?

  init(on terminal: Terminal) {
    self.terminal = terminal
    began = clock.now
  }

  /// Draws how far an import is, unless the line was drawn a moment ago.
  func show(_ progress: ImportProgress) {
    let now = clock.now
    if let drawn, now - drawn < Self.interval { return }
    drawn = now
    terminal.write("\r\u{1B}[K" + line(progress, after: now - began))
  }

  /// Draws how far a fetch is, unless the line was drawn a moment ago.
  func show(_ progress: FetchProgress) {
    let now = clock.now
    if let drawn, now - drawn < Self.interval { return }
    drawn = now
    let done = "\(progress.done)/\(progress.count)"
    let text = "[\(bar(of: progress.done * 100 / max(progress.count, 1)))] \(done)  "
    terminal.write("\r\u{1B}[K" + fit(text, oneLine(progress.question)))
  }

  /// Takes the line away, so that what follows stands alone.
  func clear() {
    if drawn != nil { terminal.write("\r\u{1B}[K") }
  }

  /// The line about an import after so much time: files, rows, their speed and the time that is
  /// left.
  private func line(_ progress: ImportProgress, after elapsed: Duration) -> String {
    let hundredths =
      progress.byteCount == 0
      ? progress.filesDone * 100 / max(progress.fileCount, 1)
      : progress.bytesRead * 100 / progress.byteCount
    let done = "\(progress.filesDone)/\(progress.fileCount)"
    var text =
      "[\(bar(of: hundredths))] " + say("@terminal.files-rows \(done) \(grouped(progress.rows))")
    let milliseconds = Int(elapsed / .milliseconds(1))
    if milliseconds > 500 {
      text += "  \(grouped(progress.rows * 1000 / milliseconds))/s"
      if let left = secondsLeft(progress, after: milliseconds) {
        text += "  " + say("@terminal.left \(left / 60) \(left % 60 < 10 ? "0" : "") \(left % 60)")
      }
    }
    return fit(text + "  ", oneLine(progress.file))
  }

  /// A bar of twenty cells, filled by so many hundredths.
  private func bar(of hundredths: Int) -> String {
    let full = min(hundredths, 100) * Self.cells / 100
    return String(repeating: "#", count: full) + String(repeating: "-", count: Self.cells - full)
  }

  /// The seconds that an import will still take if the bytes that are left are read as fast as
  /// those so far; nil while none was read, and once all were.
  ///
  /// - Parameter milliseconds: how long the bytes so far took.
  private func secondsLeft(_ progress: ImportProgress, after milliseconds: Int) -> Int? {
    guard progress.bytesRead > 0, progress.byteCount > progress.bytesRead else { return nil }
    let rest = progress.byteCount - progress.bytesRead
    return (milliseconds * rest / progress.bytesRead + 999) / 1000
  }

  /// The text and as much of the end of the file's name as the terminal has room for.
  private func fit(_ text: String, _ file: String) -> String {
    var size = winsize()
    let known = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let room = (known ? Int(size.ws_col) : 80) - 1
    let width = displayWidth(text)
    guard width < room else { return String(text.prefix(room / 2)) }
    let rest = room - width
    return text + (file.count <= rest ? file : "…" + file.suffix(max(0, rest - 1)))
  }
}
