extension HTMLPage {
    /// The style sheet: system fonts, and colours for light and dark mode.
    static let style: HTML = """
        :root {
          color-scheme: light dark;
          --back: #ffffff; --panel: #f6f7f9; --line: #d9dce1; --text: #1d2127; --soft: #626a75;
          --accent: #0b57c2; --mark: #e8eefb; --warning: #9a4a00; --warning-back: #fff1e0;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #16181c; --panel: #1f2227; --line: #3a3f47; --text: #e7e9ec; --soft: #a0a8b3;
            --accent: #8ab4ff; --mark: #24324d; --warning: #ffb86b; --warning-back: #43300f;
          }
        }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 4.5rem; }
        body {
          margin: 0; background: var(--back); color: var(--text);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
        }
        header {
          position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: baseline;
          gap: 0 1rem; padding: .6rem max(1rem, calc((100% - 76rem) / 2)); background: var(--back);
          border-bottom: 1px solid var(--line);
        }
        header h1 { margin: 0; font-size: 1.25rem; }
        header p { margin: 0; flex: 1; }
        .search { display: flex; align-items: baseline; gap: .75rem; }
        .search input {
          width: 18rem; max-width: 60vw; padding: .3rem .6rem; font: inherit; color: inherit;
          background: var(--panel); border: 1px solid var(--line); border-radius: .4rem;
        }
        .search output { min-width: 6rem; color: var(--soft); font-size: .85rem; }
        main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
        h2 { margin: 2.2rem 0 .4rem; font-size: 1.2rem; }
        h3 { margin: 1.8rem 0 .3rem; font-size: 1.05rem; }
        h4 { margin: .9rem 0 .2rem; font-size: .85rem; color: var(--soft); }
        p { margin: .4rem 0; max-width: 48rem; }
        a { color: var(--accent); text-decoration: none; }
        a:hover { text-decoration: underline; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        code, pre { font: .87em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        pre {
          margin: .5rem 0; padding: .7rem .9rem; overflow-x: auto; background: var(--panel);
          border: 1px solid var(--line); border-radius: .4rem; tab-size: 4;
        }
        table { width: 100%; margin: .5rem 0 1rem; border-collapse: collapse; font-size: .93rem; }
        th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
        th { color: var(--soft); font-weight: 600; }
        thead th {
          position: sticky; top: 3.1rem; z-index: 1; background: var(--panel);
          border-bottom: 1px solid var(--line); white-space: nowrap;
        }
        td { overflow-wrap: anywhere; }
        td code, td .mark { overflow-wrap: normal; }
        tr:target, section:target > h2, section:target > h3, h3:target { background: var(--mark); }
        .facts { width: auto; }
        .facts th { font-weight: 400; white-space: nowrap; }
        .facts th, .facts td { padding: .1rem 1rem .1rem 0; border: 0; }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        .muted { color: var(--soft); }
        .mark, .warning {
          display: inline-block; padding: 0 .4rem; font-size: .8rem; border-radius: .3rem; white-space: nowrap;
          background: var(--mark);
        }
        .warning { color: var(--warning); background: var(--warning-back); }
        .columns { margin: .5rem 0; padding: 0; columns: 13rem; list-style: none; }
        .columns li { break-inside: avoid; overflow-wrap: anywhere; }
        .figure { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: .4rem; }
        .figure svg { display: block; margin: 0 auto; }
        .figure:has([value="fit"]:checked) svg { width: 100%; height: auto; }
        .figure:has([value="half"]:checked) svg { zoom: .5; }
        .zoom {
          position: sticky; top: 0; left: 0; display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .3rem .6rem;
          font-size: .85rem; background: var(--back);
        }
        details { margin: .5rem 0; }
        summary { cursor: pointer; color: var(--accent); }
        ins { color: #1a7f37; text-decoration: none; }
        del { color: #c0362c; text-decoration: none; }
        @media (prefers-color-scheme: dark) { ins { color: #6fdc8c; } del { color: #ff8f87; } }
        [hidden] { display: none !important; }
        @media (max-width: 45rem) {
          header, thead th { position: static; }
          h1, h2, h3, p, li { overflow-wrap: anywhere; }
          table { display: block; overflow-x: auto; }
          td { min-width: 6rem; }
        }
        @media print { header, thead th { position: static; } .search { display: none; } .figure { max-height: none; } }
        """
}
