import CXLSXWriter

/// Draws a chart of a sheet by the library.
struct ChartWriter {
  let workbook: UnsafeMutablePointer<lxw_workbook>
  let worksheet: UnsafeMutablePointer<lxw_worksheet>
  let sheetName: String

  /// Draws a chart with its series, axes and legend, and puts it into the worksheet.
  func write(_ chart: Chart) {
    let upright = chart.isStacked ? LXW_CHART_COLUMN_STACKED : LXW_CHART_COLUMN
    let type = chart.isHorizontal ? LXW_CHART_BAR : upright
    guard let drawn = workbook_add_chart(workbook, UInt8(type.rawValue)) else {
      fatalError("out of memory")
    }
    chart_title_set_name(drawn, chart.title)
    withFont(size: 11, isBold: true) { chart_title_set_name_font(drawn, $0) }
    let legend = chart.hasLegend ? LXW_CHART_LEGEND_BOTTOM : LXW_CHART_LEGEND_NONE
    chart_legend_set_position(drawn, UInt8(legend.rawValue))
    chart_set_series_gap(drawn, 45)
    for series in chart.series { add(series, of: chart, to: drawn) }
    setAxes(of: drawn, chart)
    place(drawn, chart)
  }

  /// Adds a series: its ranges of cells, name, colours and labels.
  private func add(
    _ series: Chart.Series, of chart: Chart, to drawn: UnsafeMutablePointer<lxw_chart>
  ) {
    guard let added = chart_add_series(drawn, nil, nil) else { fatalError("out of memory") }
    let first = UInt32(chart.rows.lowerBound - 1)
    let last = UInt32(chart.rows.upperBound - 1)
    let categories = UInt16(chart.categories)
    let values = UInt16(series.column)
    chart_series_set_categories(added, sheetName, first, categories, last, categories)
    chart_series_set_values(added, sheetName, first, values, last, values)
    chart_series_set_name(added, series.name)
    paint(added, series.colours)
    if !series.labels.isEmpty { label(added, series, isStacked: chart.isStacked) }
  }

  /// Colours a series, or its points one by one where there are several colours; without colours it
  /// is invisible.
  private func paint(_ series: UnsafeMutablePointer<lxw_chart_series>, _ colours: [Colour]?) {
    guard let colours, colours.count > 1 else {
      var fill = lxw_chart_fill()
      if let colour = colours?.first { fill.color = colour.code } else { fill.none = 1 }
      chart_series_set_fill(series, &fill)
      return
    }
    var fills = colours.map { colour in
      var fill = lxw_chart_fill()
      fill.color = colour.code
      return fill
    }
    fills.withUnsafeMutableBufferPointer { fills in
      var points = fills.indices.map { index in
        var point = lxw_chart_point()
        point.fill = fills.baseAddress! + index
        return point
      }
      points.withUnsafeMutableBufferPointer { points in
        var list: [UnsafeMutablePointer<lxw_chart_point>?] = points.indices.map {
          points.baseAddress! + $0
        }
        list.append(nil)
        must(chart_series_set_points(series, &list))
      }
    }
  }

  /// Puts the texts of a series' labels on its points.
  ///
  /// - Parameter described: the series that has the texts.
  private func label(
    _ series: UnsafeMutablePointer<lxw_chart_series>, _ described: Chart.Series, isStacked: Bool
  ) {
    chart_series_set_labels(series)
    let position =
      isStacked ? LXW_CHART_LABEL_POSITION_CENTER : LXW_CHART_LABEL_POSITION_OUTSIDE_END
    chart_series_set_labels_position(series, UInt8(position.rawValue))
    withFont(size: 8) { chart_series_set_labels_font(series, $0) }
    withFont(size: 8) { font in
      withCStrings(described.labels) { texts in
        var labels = texts.map { text in
          var label = lxw_chart_data_label()
          label.value = text
          label.font = font
          return label
        }
        labels.withUnsafeMutableBufferPointer { labels in
          var list: [UnsafeMutablePointer<lxw_chart_data_label>?] = labels.indices.map {
            labels.baseAddress! + $0
          }
          list.append(nil)
          must(chart_series_set_labels_custom(series, &list))
        }
      }
    }
  }

  /// Sets how both axes look, and where that of the values begins.
  private func setAxes(of drawn: UnsafeMutablePointer<lxw_chart>, _ chart: Chart) {
    let (across, up) = (drawn.pointee.x_axis, drawn.pointee.y_axis)
    let (points, values) = chart.isHorizontal ? (up, across) : (across, up)
    withFont(size: 8) { font in
      chart_axis_set_num_font(values, font)
      if !chart.isHorizontal { font.pointee.rotation = -45 }
      chart_axis_set_num_font(points, font)
    }
    if chart.isHorizontal { chart_axis_set_reverse(points) }
    chart_axis_set_num_format(values, chart.format)
    if let minimum = chart.minimum.flatMap(CellNumber.binary(micros:)) {
      chart_axis_set_min(values, minimum)
    }
    chart_axis_set_label_position(points, UInt8(LXW_CHART_AXIS_LABEL_POSITION_LOW.rawValue))
    var line = lxw_chart_line()
    line.color = Colour(0xDDE1E5).code
    line.width = 0.5
    chart_axis_major_gridlines_set_line(values, &line)
  }

  /// Puts a chart into the worksheet, at its cell and in its size, with its title as the text for
  /// screen readers.
  private func place(_ drawn: UnsafeMutablePointer<lxw_chart>, _ chart: Chart) {
    let defaultWidth = 480
    let defaultHeight = 288
    var options = lxw_chart_options()
    options.x_scale = Double(chart.width) / Double(defaultWidth)
    options.y_scale = Double(chart.height) / Double(defaultHeight)
    withCStrings([chart.title]) { texts in
      options.description = texts[0]
      must(
        worksheet_insert_chart_opt(
          worksheet, UInt32(chart.row), UInt16(chart.column), drawn, &options))
    }
  }
}

/// Hands over a font of so many points that lives as long as the call; the library copies it.
private func withFont(
  size: Int, isBold: Bool = false, _ body: (UnsafeMutablePointer<lxw_chart_font>) -> Void
) {
  withCStrings([Formats.fontName]) { names in
    var font = lxw_chart_font()
    font.name = names[0]
    font.size = Double(size)
    font.bold = isBold ? 1 : 0
    withUnsafeMutablePointer(to: &font, body)
  }
}

/// Hands over texts as C strings that live as long as the call; the library copies them.
private func withCStrings(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>]) -> Void) {
  let copies = texts.map { text in
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: byte) }
    return copy
  }
  body(copies)
  copies.forEach { $0.deallocate() }
}
