package import Billing
import Pricing
import Reading

/// What became of a file of questions.
package struct PriceFileOutcome: Sendable {
  /// Rows that were answered.
  package var rows: Int
  /// Errors and warnings; of errors the first hundred, and one that counts the others.
  package var diagnostics: [Diagnostic]
  package var hasBadInput: Bool
}

extension PriceDesk {
  /// Answers a file of questions, row by row in its order; bad rows are left out and objected to.
  ///
  /// - Parameter sink: takes the document in runs. When what stops the file comes after the first
  ///   run, the document is ended before it is thrown.
  /// - Throws: a ``Diagnostic`` for what stops the file, and what `sink` throws.
  package func answer(
    file path: String, as form: PriceForm, to sink: ([UInt8]) throws -> Void
  ) throws -> PriceFileOutcome {
    let file: RawFile
    do { file = try RawFile(path: path) } catch let error as SystemError {
      throw unreadableFile(path, error)
    }
    var reading: QuestionsReading?
    try writePrices(form, to: sink) { emit in
      var answers: [PricedRow] = []
      reading = try readPriceQuestions(
        name: path,
        from: { buffer in
          do { return try file.read(into: buffer) } catch let error as SystemError {
            throw unreadableFile(path, error)
          }
        },
        storefronts: .builtIn,
        ask: { reply(to: $0, form, into: &answers) },
        sink: { numbers in
          for number in numbers { try emit(answers[Int(number)]) }
          answers.removeAll(keepingCapacity: true)
        })
    }
    guard let reading else { preconditionFailure("the file was read") }
    return PriceFileOutcome(path, reading)
  }

  /// Answers one question, and says whether it is answered, doubtful or refused; the answer is
  /// appended where there is one.
  private func reply(
    to question: PriceQuestion, _ form: PriceForm, into answers: inout [PricedRow]
  ) -> PriceReply {
    do throws(PriceDoubt) {
      let question = try resolved(question)
      let book = book(on: question.day)
      let quote = try book.quote(question)
      answers.append(
        PricedRow(quote, beside: form == .text ? proceedsBeside(quote, question, book) : []))
      return book.doubt(of: quote, to: question).map { .doubtful($0) } ?? .answered
    } catch {
      return .refused(error)
    }
  }

  /// The proceeds in micro-units at each of the commissions of ``PricedRow/compared``.
  private func proceedsBeside(
    _ quote: PriceQuote, _ question: PriceQuestion, _ book: PriceBook
  ) -> [Int64] {
    PricedRow.compared.map { rate in
      if quote.expectation.basis.commission == rate { return quote.expectation.proceeds }
      return book.expectation(
        storefront: question.storefront, currency: quote.expectation.currency,
        price: quote.expectation.price, day: question.day, commissionRate: rate
      ).proceeds
    }
  }
}

extension PriceFileOutcome {
  /// The outcome of reading the file at `path`: rows answered and diagnostics.
  fileprivate init(_ path: String, _ reading: QuestionsReading) {
    rows = reading.rows
    hasBadInput = reading.diagnosticCount > 0
    diagnostics =
      reading.diagnostics
      + moreDiagnostics(
        reading.diagnosticCount - reading.diagnostics.reduce(0) { $0 + $1.rows }, in: path)
      + reading.warnings
  }
}

/// One diagnostic that says how many errors of a file are not listed; empty where all are.
func moreDiagnostics(_ unlisted: Int, in path: String) -> [Diagnostic] {
  guard unlisted > 0 else { return [] }
  return [
    Diagnostic(
      topic: "more", at: SourceLocation(file: path),
      "@shared.further-errors-are-not-listed \(grouped(unlisted))",
      help: "@price.correct-these-first-then-ask")
  ]
}
