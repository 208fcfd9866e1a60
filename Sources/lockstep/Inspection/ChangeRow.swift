#if Inspect
    import LockstepHTML
    import LockstepInspection

    /// A changed record as a row of the page.
    struct ChangeRow {
        let change: InspectionReport.Change

        /// The filters that a reader can choose.
        static let parked = "parked"

        /// The kinds to which a change belongs.
        private var kinds: [String] { [change.kind.rawValue] + (change.isParked ? [Self.parked] : []) }

        var row: HTML {
            """
            <tr data-row data-kinds="\(kinds.joined(separator: " "))"><td>\(change.kind.rawValue)</td>\
            <td>\(change.entity) <code>\(change.record)</code></td>\
            <td>\(InspectionText.date(change.since))</td><td>\(differences)</td><td>\(state)</td></tr>

            """
        }

        private var differences: HTML {
            let links = change.links.map { link -> HTML in
                "<div>\(link.relationship) \(link.numbers.joined(separator: " "))</div>"
            }
            guard let values = change.values else { return "\(change.changed.joined(separator: ", "))\(links)" }
            return values.map(difference).joined() + links.joined()
        }

        private func difference(_ member: InspectionReport.MemberValue) -> HTML {
            let difference = InspectedDifference(member)
            let base = difference.base.map { "<del>\($0)</del>" as HTML }
            let now = difference.now.map { "<ins>\($0)</ins>" as HTML }
            let values = [base, now].compactMap(\.self).joined(separator: " → ")
            let whole = difference.whole.map { "<pre>\($0)</pre>" as HTML }
            let details: HTML = whole.isEmpty ? "" : "<details><summary>Whole values</summary>\(whole)</details>"
            return "<div><span class=\"muted\">\(member.name)</span> \(values)\(details)</div>"
        }

        private var state: HTML {
            var parts = change.states.map { state -> HTML in
                state.label.map { "<span class=\"warning\">\($0)</span> \(state.text)" as HTML } ?? "\(state.text)"
            }
            if let response = change.parked?.response ?? change.lastError, !response.isEmpty {
                parts.append("<span class=\"muted\">\(InspectionText.short(response))</span>")
            }
            return parts.joined(separator: "<br>")
        }
    }
#endif
