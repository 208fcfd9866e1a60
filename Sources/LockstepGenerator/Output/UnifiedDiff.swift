/// The number of context lines around a change in a diff.
private let contextLineCount = 3

/// A longer diff is truncated, because it would not be read, and logs have limits.
private let diffLineLimit = 2_000

/// The difference between two texts in the format of `diff -u`; empty if there is none.
///
/// The time is limited: if two texts have too little in common, all of the old one is shown as removed and all of the
/// new one as added. The length is limited too: after 2,000 lines, the rest is only counted.
package func unifiedDiff(old: [UInt8], new: [UInt8], oldLabel: String, newLabel: String) -> String {
    guard old != new else { return "" }
    let (oldLines, newLines) = (lines(of: old), lines(of: new))
    let changes = lineChanges(from: oldLines, to: newLines)
    var printer = DiffPrinter(oldLines: oldLines, newLines: newLines)
    printer.heading(oldLabel, newLabel: newLabel)
    for hunk in hunks(of: changes, oldCount: oldLines.count) {
        printer.hunk(hunk)
    }
    return printer.finished()
}

/// The lines of a text, each with its line feed, except possibly the last one.
private func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    while start < text.count {
        let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
        lines.append(text[start..<end])
        start = end
    }
    return lines
}

/// Combines changes whose contexts overlap.
private func hunks(of changes: [LineChange], oldCount: Int) -> [[LineChange]] {
    var hunks: [[LineChange]] = []
    for change in changes {
        if let last = hunks.last?.last, change.old.lowerBound - last.old.upperBound <= 2 * contextLineCount {
            hunks[hunks.count - 1].append(change)
        } else {
            hunks.append([change])
        }
    }
    return hunks
}

private struct DiffPrinter {
    let oldLines: [ArraySlice<UInt8>]
    let newLines: [ArraySlice<UInt8>]
    private var bytes: [UInt8] = []
    private var lineCount = 0

    init(oldLines: [ArraySlice<UInt8>], newLines: [ArraySlice<UInt8>]) {
        self.oldLines = oldLines
        self.newLines = newLines
    }

    mutating func heading(_ oldLabel: String, newLabel: String) {
        bytes.append(contentsOf: "--- \(oldLabel)\n+++ \(newLabel)\n".utf8)
    }

    mutating func hunk(_ changes: [LineChange]) {
        guard let first = changes.first, let last = changes.last else { return }
        let before = min(contextLineCount, first.old.lowerBound)
        let after = min(contextLineCount, oldLines.count - last.old.upperBound)
        let old = first.old.lowerBound - before..<last.old.upperBound + after
        let new = first.new.lowerBound - before..<last.new.upperBound + after
        bytes.append(contentsOf: "@@ -\(position(of: old)) +\(position(of: new)) @@\n".utf8)
        var next = old.lowerBound
        for change in changes {
            write(oldLines[next..<change.old.lowerBound], mark: UInt8(ascii: " "))
            write(oldLines[change.old], mark: UInt8(ascii: "-"))
            write(newLines[change.new], mark: UInt8(ascii: "+"))
            next = change.old.upperBound
        }
        write(oldLines[next..<old.upperBound], mark: UInt8(ascii: " "))
    }

    /// The first line and the number of lines; for an empty range, the line before it.
    private func position(of range: Range<Int>) -> String {
        if range.count == 1 { return "\(range.lowerBound + 1)" }
        return "\(range.isEmpty ? range.lowerBound : range.lowerBound + 1),\(range.count)"
    }

    private mutating func write(_ lines: ArraySlice<ArraySlice<UInt8>>, mark: UInt8) {
        for line in lines {
            lineCount += 1
            guard lineCount <= diffLineLimit else { continue }
            bytes.append(mark)
            bytes.append(contentsOf: line)
            if line.last != UInt8(ascii: "\n") {
                bytes.append(contentsOf: "\n\\ No newline at end of file\n".utf8)
            }
        }
    }

    mutating func finished() -> String {
        if lineCount > diffLineLimit {
            bytes.append(contentsOf: "… and \(lineCount - diffLineLimit) more lines\n".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
