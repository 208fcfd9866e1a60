extension HTMLPage {
    /// Filters sections and rows by the words of the search field, and rows by their kind. The text of a row is read
    /// once, when it is first needed.
    static let script: HTML = """
        (() => {
          const field = document.getElementById("search");
          if (!field) return;
          const found = document.getElementById("found");
          const links = document.querySelectorAll("[data-for]");
          const row = (element) => ({ element, text: null });
          const sections = [...document.querySelectorAll("[data-section]")].map((element) => ({
            element,
            words: element.dataset.section.toLowerCase(),
            rows: [...element.querySelectorAll("[data-row]")].map(row),
            groups: element.querySelectorAll("[data-group]"),
          }));
          const chapters = document.querySelectorAll("[data-chapter]");
          const unsearched = document.querySelectorAll("[data-unsearched]");
          const loose = [...document.querySelectorAll("[data-row]")]
            .filter((element) => !element.closest("[data-section]")).map(row);

          let kind = "";
          const isOfKind = (element) => !kind || (element.dataset.kinds || "").split(" ").includes(kind);
          const has = (text, words) => words.every((word) => text.includes(word));
          const show = (element, isShown) => { if (element.hidden === isShown) element.hidden = !isShown; };
          const filterRows = (rows, words, prefix) => {
            let count = 0;
            for (const row of rows) {
              row.text ??= row.element.textContent.toLowerCase();
              const isFound = isOfKind(row.element) && has(prefix + " " + row.text, words);
              show(row.element, isFound);
              if (isFound) count += 1;
            }
            return count;
          };
          const hideEmpty = (groups, parts) => {
            for (const group of groups) show(group, group.querySelector(parts + ":not([hidden])") !== null);
          };
          const filterSection = ({ element, words: own, rows, groups }, words) => {
            const isWhole = !kind && has(own, words);
            if (isWhole) rows.forEach((row) => show(row.element, true));
            const isFound = isWhole || filterRows(rows, words, own) > 0;
            hideEmpty(groups, "[data-row]");
            show(element, isFound);
            return isFound ? 1 : 0;
          };
          const filter = () => {
            const words = field.value.toLowerCase().split(/\\s+/).filter((word) => word);
            const rows = filterRows(loose, words, "");
            const shown = sections.reduce((count, section) => count + filterSection(section, words), 0);
            hideEmpty(chapters, "[data-section]");
            const isSearch = words.length > 0 || kind !== "";
            unsearched.forEach((element) => show(element, !isSearch));
            for (const link of links) {
              const target = document.getElementById(link.dataset.for);
              show(link, !target || !target.hidden);
            }
            const [count, all] = sections.length ? [shown, sections.length] : [rows, loose.length];
            found.value = isSearch ? count + " of " + all : "";
          };
          const setSearch = (text, shown) => {
            if (field.value === text && kind === shown) return;
            field.value = text;
            kind = shown;
            filter();
          };

          const readAddress = () => {
            const hash = location.hash;
            if (/^#(q|show)=/.test(hash)) {
              const search = new URLSearchParams(hash.slice(1));
              return setSearch(search.get("q") || "", search.get("show") || "");
            }
            // A link to something that is hidden.
            const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
            if (target && target.closest("[hidden]")) { setSearch("", ""); target.scrollIntoView(); }
          };
          const writeAddress = () => {
            const text = field.value.trim();
            const parts = [kind && "show=" + encodeURIComponent(kind), text && "q=" + encodeURIComponent(text)];
            history.replaceState(null, "", "#" + parts.filter((part) => part).join("&"));
          };
          const search = () => { filter(); try { writeAddress(); } catch {} };

          field.addEventListener("input", search);
          window.addEventListener("hashchange", readAddress);
          document.addEventListener("keydown", (event) => {
            if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
            if (event.key === "Escape" && (field.value || kind)) { field.value = kind = ""; search(); }
          });
          readAddress();
        })();
        """
}
