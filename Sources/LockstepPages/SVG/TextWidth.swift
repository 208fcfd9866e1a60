/// The width of text without its font, by the widths of Helvetica (Adobe's metrics, in thousandths of the size), which
/// Arial and Liberation Sans share, with a margin for wider fonts.
enum TextWidth {
    static func of(_ text: String, size: Double, isBold: Bool = false) -> Double {
        let thousandths = text.unicodeScalars.reduce(0) { $0 + units(of: $1) }
        return Double(thousandths) / 1000 * size * (isBold ? 1.15 : 1.08)
    }

    private static func units(of scalar: Unicode.Scalar) -> Int {
        let value = Int(scalar.value)
        if ascii.indices.contains(value - 32) { return ascii[value - 32] }
        // From Hangul on, most characters are as wide as they are high.
        return value < 0x1100 ? 600 : 1000
    }

    /// From the space to the tilde.
    private static let ascii = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
        556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667,
        556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556,
        556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
        500, 500, 500, 334, 260, 334, 584,
    ]
}
