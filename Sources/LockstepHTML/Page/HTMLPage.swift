/// A page in one file. It needs no network, and loads no other file.
///
/// It has a header with a search field, a style sheet for light and dark mode, and a script that filters elements in
/// the body by their attributes:
///
/// - `data-section="Entry entries"` makes an element a section that is found by these words. Sections are not nested.
/// - `data-row` makes an element a row that is found by its text and the words of its section. If the words of a
///   section match, all of its rows are shown. A section without a matching row is hidden.
/// - `data-group` on an element in a section hides it if none of its rows is shown. `data-chapter` on an element around
///   sections hides it if none of them is shown.
/// - `data-kinds="update parked"` on a row are its kinds. A link to `#show=parked` shows only the rows of this kind,
///   whatever their texts are; `#show=` shows all again. A search in them is `#show=parked&q=title`.
/// - `data-unsearched` hides an element during a search.
/// - `data-for="ID"` on an element, usually a link, hides it together with the section of that `id`.
///
/// The search starts with the text after `#q=` in the address. `/` moves to the search field, and Escape shows
/// everything again.
/// `#found` contains the number of sections (or rows, if there are no sections) that are shown. Without a script,
/// everything is shown.
///
/// Classes: `muted` for secondary text, `mark` for short labels, `warning` for labels that need attention, `figure` for
/// wide pictures (a checked `input` with the value `fit` fits the picture to the width, and one with `half` halves it),
/// `zoom` for these inputs, `columns` for lists of links, `facts` for
/// tables of names and values, `number` for cells with numbers.
package struct HTMLPage: Sendable {
    package var title: String
    /// Secondary text beside the title.
    package var subtitle: HTML
    /// The placeholder of the search field; `nil` for a page without search.
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

    /// Allows only what is in the file: the page cannot send a request, regardless of its contents.
    private static let policy = """
        default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
        base-uri 'none'; form-action 'none'
        """
}
