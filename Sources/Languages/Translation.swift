package import Billing

/// The language of texts for whoever reads what is being written.
package struct Translation: Sendable {
  package let language: Language

  package init(_ language: Language) { self.language = language }

  package static let english = Translation(.english)

  @TaskLocal package static var current = english

  /// A text in this language.
  package func callAsFunction(_ wording: Wording) -> String { wording.text(in: language) }
}

/// A text in the language of whoever reads what is being written.
package func say(_ wording: Wording) -> String { Translation.current(wording) }
