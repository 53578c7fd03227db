/// The columns that accounting programs want, by their own names.
enum AccountingColumns {
  /// Xero, manual journals (help.xero.com/nz/ManualJournalsImport, read 2026-11): lines of one
  /// journal share narration and date; positive is debit; 300 lines a file at most.
  static let xeroLines = 300
  static let xero = [
    "*Narration", "*Date", "Description", "*AccountCode", "*TaxRate", "*Amount", "TrackingName1",
    "TrackingOption1", "TrackingName2", "TrackingOption2",
  ]

  /// QuickBooks Online, journal entries (quickbooks.intuit.com, "Import journal entries", read
  /// 2026-11): account names with their parents, never numbers.
  static let quickbooks = [
    "Journal No", "Journal Date", "Account Name", "Debits", "Credits", "Description", "Name",
  ]

  /// Kingdee K/3, vouchers in its standard format, as its own exports have them (seen in public
  /// exporters, 2015 to 2023; Kingdee publishes no page).
  static let kingdee = [
    "凭证日期", "会计年度", "会计期间", "凭证字", "凭证号", "科目代码", "科目名称", "币别代码", "币别名称", "原币金额", "借方", "贷方", "制单",
    "审核", "核准", "出纳", "经办", "结算方式", "结算号", "凭证摘要", "数量", "数量单位", "单价", "参考信息", "业务日期", "往来业务编号",
    "附件数",
    "序号", "系统模块", "业务描述", "汇率类型", "汇率", "分录序号", "核算项目", "过账", "机制凭证", "现金流量",
  ]
  static let (yuanCode, yuanName, voucherWord) = ("RMB", "人民币", "记")

  /// Yonyou U8, the general ledger tool's text of vouchers (100ksw.com/jsj/yynl/3/228066.shtml,
  /// 2010, and public exporters): date, word, number, attachments, abstract, account, debit,
  /// credit, quantity, foreign amount, rate; what follows may be left out.
  static let yonyouHead = "填制凭证,V800"

  /// DATEV format, posting batch version 13 under header 700
  /// (developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel, read 2026-11).
  static let datev: [String] = {
    var names = [
      "Umsatz (ohne Soll/Haben-Kz)", "Soll/Haben-Kennzeichen", "WKZ Umsatz", "Kurs",
      "Basis-Umsatz", "WKZ Basis-Umsatz", "Konto", "Gegenkonto (ohne BU-Schlüssel)",
      "BU-Schlüssel", "Belegdatum", "Belegfeld 1", "Belegfeld 2", "Skonto", "Buchungstext",
      "Postensperre", "Diverse Adressnummer", "Geschäftspartnerbank", "Sachverhalt", "Zinssperre",
      "Beleglink",
    ]
    for number in 1...8 {
      names += ["Beleginfo - Art \(number)", "Beleginfo - Inhalt \(number)"]
    }
    names += [
      "KOST1 - Kostenstelle", "KOST2 - Kostenstelle", "Kost-Menge",
      "EU-Land u. UStID (Bestimmung)", "EU-Steuersatz (Bestimmung)", "Abw. Versteuerungsart",
      "Sachverhalt L+L", "Funktionsergänzung L+L", "BU 49 Hauptfunktionstyp",
      "BU 49 Hauptfunktionsnummer", "BU 49 Funktionsergänzung",
    ]
    for number in 1...20 {
      names += ["Zusatzinformation - Art \(number)", "Zusatzinformation- Inhalt \(number)"]
    }
    return names + [
      "Stück", "Gewicht", "Zahlweise", "Forderungsart", "Veranlagungsjahr",
      "Zugeordnete Fälligkeit", "Skontotyp", "Auftragsnummer", "Buchungstyp",
      "USt-Schlüssel (Anzahlungen)", "EU-Land (Anzahlungen)", "Sachverhalt L+L (Anzahlungen)",
      "EU-Steuersatz (Anzahlungen)", "Erlöskonto (Anzahlungen)", "Herkunft-Kz", "Buchungs GUID",
      "KOST-Datum", "SEPA-Mandatsreferenz", "Skontosperre", "Gesellschaftername",
      "Beteiligtennummer", "Identifikationsnummer", "Zeichnernummer", "Postensperre bis",
      "Bezeichnung SoBil-Sachverhalt", "Kennzeichen SoBil-Buchung", "Festschreibung",
      "Leistungsdatum", "Datum Zuord. Steuerperiode", "Fälligkeit", "Generalumkehr (GU)",
      "Steuersatz", "Land", "Abrechnungsreferenz", "BVV-Position",
      "EU-Land u. UStID (Ursprung)", "EU-Steuersatz (Ursprung)", "Abw. Skontokonto",
    ]
  }()

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
