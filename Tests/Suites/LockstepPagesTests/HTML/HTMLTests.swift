import LockstepHTML
import Testing

@Suite("Markup and pages")
struct HTMLTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "</title><b>",
        "a & b &amp; c", "]]>", "--><!--",
    ]

    @Test("Interpolated text is escaped in contents and in attributes", arguments: hostile)
    func escaping(_ text: String) {
        let markup: HTML = "<p title=\"\(text)\">\(text)</p>"
        let inside = markup.text.dropFirst(10).dropLast(4)
        for character in "<'" { #expect(!inside.contains(character)) }
        // The quote that ends the attribute, and the bracket that ends the tag.
        #expect(inside.count { $0 == "\"" } == 1)
        #expect(inside.count { $0 == ">" } == 1)
    }

    @Test("Literals and markup are not escaped; numbers are short")
    func markup() {
        let name: HTML = "<b>\("a<b")</b>"
        let row: HTML = "<td>\(name)\([name, name])\(3)\(2.0)\(-0.25)\(1.26)</td>"
        #expect(row.text == "<td><b>a&lt;b</b><b>a&lt;b</b><b>a&lt;b</b>32-0.31.3</td>")
        #expect([name, "x"].joined(separator: ", ").text == "<b>a&lt;b</b>, x")
    }

    @Test("What XML does not allow is replaced")
    func controls() {
        let markup: HTML = "\("a\u{0}\u{1B}\u{7F}\u{FFFF}b\tc\n")"
        #expect(markup.text == "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b\tc&#10;")
    }

    @Test("A page allows only what is in it")
    func page() {
        let page = HTMLPage(title: "A <title>", subtitle: "<i>x</i>", body: "<p>\("<&>")</p>").text
        #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">\n"))
        #expect(page.contains("<title>A &lt;title&gt;</title>"))
        #expect(page.contains("<p>&lt;&amp;&gt;</p>"))
        #expect(page.contains("default-src &#39;none&#39;"))
        for reference in ["http:", "https:", "//cdn", "src=", "@import", "url("] {
            #expect(!page.contains(reference), "\(reference)")
        }
        #expect(!HTMLPage(title: "x", searchPrompt: nil, body: "").text.contains("<input"))
    }
}
