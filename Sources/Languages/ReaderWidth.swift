/// The room that whoever reads has beside one another, on a terminal.
package enum ReaderWidth {
  /// The columns of the terminal that a text is put together for. Nil where nobody watches: for a
  /// pipe, a file, and for whatever the ledger keeps.
  @TaskLocal package static var columns: Int?

  /// The columns after which prose is broken: 100 at most, for long lines are hard to read.
  package static var prose: Int { min(columns ?? 100, 100) }
}
