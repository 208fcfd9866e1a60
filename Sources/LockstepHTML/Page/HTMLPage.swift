/// A page in one file: it needs no network, and loads no other file.
///
/// It has a header with a search field, a style sheet for light and dark, and a script that filters what is marked in
/// the body:
///
/// - `data-section="Entry entries"` on an element makes it a section, found by these words. Sections do not nest.
/// - `data-row` on an element makes it a row, found by its text and the words of its section. If the words of a section
///   are enough, all of its rows are shown. A section without a row that is found is hidden.
/// - `data-group` on an element within a section hides it while none of its rows is shown, and `data-chapter` on one
///   around sections while none of these is.
/// - `data-unsearched` on an element hides it during a search.
/// - `data-for="ID"` on an element, usually a link, hides it together with the section of that `id`.
///
/// The search begins with what follows `#q=` in the address; `/` moves to the field, and Escape clears it. `#found` has
/// the number of sections (or rows, if there are no sections) that are shown. Without a script, all is shown.
///
/// Classes: `muted` for secondary text, `mark` for short labels, `warning` for labels that need attention, `figure` for
/// wide pictures (a checked checkbox in it fits the picture to the width), `columns` for lists of links, `facts` for
/// tables of names and values, `number` for cells with numbers.
package struct HTMLPage: Sendable {
    package var title: String
    /// Secondary text beside the title.
    package var subtitle: HTML
    /// What the search field says while it is empty; `nil` for a page without search.
    package var searchPrompt: String?
    /// The contents of `main`.
    package var body: HTML

    package init(title: String, subtitle: HTML = "", searchPrompt: String? = "Search", body: HTML) {
        self.title = title
        self.subtitle = subtitle
        self.searchPrompt = searchPrompt
        self.body = body
    }

    /// The whole file.
    package var text: String {
        let page: HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title)</h1>
            <p class="muted">\(subtitle)</p>
            \(search)
            </header>
            <main>
            \(body)
            </main>
            <script>
            \(Self.script)
            </script>
            </body>
            </html>

            """
        return page.text
    }

    private var search: HTML {
        guard let searchPrompt else { return "" }
        return """
            <div class="search" role="search">
            <input type="search" id="search" placeholder="\(searchPrompt)" aria-label="\(searchPrompt)" \
            autocomplete="off" spellcheck="false">
            <output id="found" for="search"></output>
            </div>
            """
    }

    /// Only what is in the file: no request can leave the page, whatever is in it.
    private static let policy = """
        default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
        base-uri 'none'; form-action 'none'
        """
}
