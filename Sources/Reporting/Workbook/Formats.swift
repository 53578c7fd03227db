import Billing
import CXLSXWriter

/// How a cell looks; equal looks share one format of the file.
struct Look: Hashable, Sendable {
  enum Number: Hashable, Sendable {
    case text, integer, ordinal, ratio, rate, day
    case money(digits: Int)
    case quotient(places: Int)
  }

  var number: Number
  var style: Row.Style
  var meaning: Row.Meaning?
  var wraps = false
  var isLink = false
  var isRight = false
  var isCentred = false
  var isIndented = false

  /// The number format as Excel writes it, negatives red and in brackets; nil for text.
  var pattern: String? {
    switch number {
    case .text: nil
    case .integer: "#,##0_);[Red](#,##0)"
    case .ordinal: "0_)"
    case .ratio: "0.00%_);[Red](0.00%)"
    case .rate: "#,##0.000000_)"
    case .day: "yyyy-mm-dd"
    case .quotient(let places): "#,##0.\(zeros(places))_);[Red](#,##0.\(zeros(places)))"
    case .money(let digits):
      digits == 0
        ? "#,##0_);[Red](#,##0)"
        : "#,##0.\(zeros(digits))_);[Red](#,##0.\(zeros(digits)))"
    }
  }

  private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}

/// The formats of one workbook, made when they are first needed.
struct Formats {
  static let fontName = "Arial"

  private let workbook: UnsafeMutablePointer<lxw_workbook>
  private var made: [Look: UnsafeMutablePointer<lxw_format>] = [:]
  /// The numbers of styles that the file has so far.
  private(set) var styles: [Look: Int] = [:]
  /// What was asked for the first time, in that order: the numbers of formats and styles follow
  /// from it.
  private var asked: [Question] = []

  /// What was asked for: a format of the library, or the number of a style.
  private enum Question { case format(Look), style(Look) }

  init(_ workbook: UnsafeMutablePointer<lxw_workbook>) { self.workbook = workbook }

  /// Makes the formats of another workbook in this one, under the same numbers.
  init(_ workbook: UnsafeMutablePointer<lxw_workbook>, like other: Formats) {
    self.init(workbook)
    for question in other.asked {
      switch question {
      case .format(let look): _ = format(look)
      case .style(let look): _ = style(look)
      }
    }
  }

  /// The number of a look's style; styles are numbered as looks are first asked for.
  mutating func style(_ look: Look) -> Int {
    if let style = styles[look] { return style }
    let style = Int(lxw_format_get_xf_index(format(look)))
    styles[look] = style
    asked.append(.style(look))
    return style
  }

  /// The library's format for a look, made when it is first asked for.
  mutating func format(_ look: Look) -> UnsafeMutablePointer<lxw_format> {
    if let format = made[look] { return format }
    guard let format = workbook_add_format(workbook) else { fatalError("out of memory") }
    format_set_font_name(format, Self.fontName)
    format_set_font_size(format, 10)
    format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue))
    if let pattern = look.pattern { format_set_num_format(format, pattern) }
    if look.wraps { format_set_text_wrap(format) }
    if look.isRight { format_set_align(format, UInt8(LXW_ALIGN_RIGHT.rawValue)) }
    if look.isCentred { format_set_align(format, UInt8(LXW_ALIGN_CENTER.rawValue)) }
    if look.isIndented { format_set_indent(format, 1) }
    apply(look.style, to: format)
    if look.isLink {
      format_set_font_color(format, House.linkInk.code)
      format_set_underline(format, UInt8(LXW_UNDERLINE_SINGLE.rawValue))
    }
    if let meaning = look.meaning { apply(meaning, to: format) }
    made[look] = format
    asked.append(.format(look))
    return format
  }

  /// Gives a format the font, colours and borders of a row's style.
  private func apply(_ style: Row.Style, to format: UnsafeMutablePointer<lxw_format>) {
    switch style {
    case .body: break
    case .title:
      format_set_bold(format)
      format_set_font_size(format, 16)
    case .subtitle, .label: format_set_font_color(format, House.quietInk.code)
    case .section:
      format_set_bold(format)
      format_set_font_size(format, 11)
    case .tableHeader, .numberHeader:
      format_set_bold(format)
      format_set_bg_color(format, House.header.code)
      format_set_font_color(format, House.headerInk.code)
    case .total:
      format_set_bold(format)
      format_set_bg_color(format, House.totalGround.code)
      format_set_top(format, UInt8(LXW_BORDER_THIN.rawValue))
      format_set_top_color(format, House.line.code)
    case .figure:
      format_set_bold(format)
      format_set_font_size(format, 14)
      format_set_align(format, UInt8(LXW_ALIGN_LEFT.rawValue))
    case .aside:
      format_set_font_color(format, House.quietInk.code)
      format_set_font_size(format, 8)
    case .signature:
      format_set_bottom(format, UInt8(LXW_BORDER_THIN.rawValue))
      format_set_bottom_color(format, House.line.code)
    }
  }

  /// Gives a format the colours of a severity or of a bridge step's cause.
  private func apply(_ meaning: Row.Meaning, to format: UnsafeMutablePointer<lxw_format>) {
    switch meaning {
    case .severity(let severity):
      format_set_bg_color(format, severity.ground.code)
      format_set_font_color(format, severity.ink.code)
    case .cause(let family):
      format_set_bg_color(format, family.colour.code)
      format_set_font_color(format, family.ink.code)
    }
  }
}

extension Colour {
  /// The colour as the library writes it, for which zero is no colour but the absence of one.
  var code: lxw_color_t { rgb == 0 ? 0x100_0000 : lxw_color_t(rgb) }
}
