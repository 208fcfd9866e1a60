import LockstepJSON

extension JSONCorpus {
    /// What the RFC lets readers decide (sections 4, 6, 8.1, 8.2 and 9).
    static let either: [Either] = [
        // 4: names should be unique. The last one wins.
        .taken(#"{"a":1,"a":2}"#), .taken(#"{"a":1,"\u0061":2}"#), .taken(#"{"":1,"":2}"#), .taken(#"{"a":{},"a":[]}"#),

        // 6: range and precision. All are read; the tests of values define the results.
        .taken("1e400"), .taken("-1e400"), .taken("1e-400"), .taken("1e99999999999999999999"),
        .taken("123456789012345678901234567890123456789012345678901234567890"), .taken("0.1e-99999999999999999999"),
        .taken(String(repeating: "9", count: 10_000)), .taken("0." + String(repeating: "0", count: 10_000) + "1"),
        .taken("1e" + String(repeating: "0", count: 10_000) + "1"), .taken("9007199254740993"), .taken("-0"),

        // 8.1: a byte-order mark may be ignored.
        .taken("<EF><BB><BF>null"), .taken("<EF><BB><BF> [1]"), .taken("<EF><BB><BF>{}"),

        // 8.2: the grammar has halves of surrogate pairs, which no UTF-8 can hold.
        .refused(#""\ud83d""#, 1, .badEscape), .refused(#""\ude00""#, 1, .badEscape),
        .refused(#""\ude00\ud83d""#, 1, .badEscape),
        .refused(#""\ud83dx""#, 1, .badEscape), .refused(#""\ud83d\n""#, 1, .badEscape),
        .refused(#""\ud83d\u0041""#, 1, .badEscape), .refused(#""\ud83d\ud83d\ude00""#, 1, .badEscape),
        .refused(#""\ud83d😀""#, 1, .badEscape), .refused(#""ab\udfff""#, 3, .badEscape),
        .refused(#""\ud83d\ude00\ude00""#, 13, .badEscape), .refused(#""\ud800\ue000""#, 1, .badEscape),
        .refused(#"{"\udead":1}"#, 2, .badEscape),

        // 8.2: characters without a meaning are characters.
        .taken(#""\uFFFF""#), .taken(#""\uFFFE""#), .taken(#""\uFDD0""#), .taken(#""<EF><BF><BF>""#),
        .taken(#""\uDBFF\uDFFF""#),
        .taken(#""<F4><8F><BF><BE>""#), .taken(#""\u0000\u0000""#), .taken(#"{"\u0000":1}"#), .taken(#""\u2028""#),

        // 9: depth.
        .taken(String(repeating: "[", count: 512) + String(repeating: "]", count: 512)),
        .refused(String(repeating: "[", count: 513) + String(repeating: "]", count: 513), 512, .tooDeep(limit: 512)),
        .refused(String(repeating: "[", count: 513), 512, .tooDeep(limit: 512)),
        .refused(String(repeating: "[", count: 512), 512, .unexpectedEnd),
        .refused(String(repeating: #"{"":"#, count: 513), 4 * 512, .tooDeep(limit: 512)),
    ]
}
