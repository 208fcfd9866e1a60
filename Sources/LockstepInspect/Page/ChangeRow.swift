import LockstepHTML
import LockstepStore

/// A changed record as a row of the page.
struct ChangeRow {
    let change: InspectionReport.Change

    var row: HTML {
        """
        <tr data-row><td>\(change.kind.rawValue)</td><td>\(change.entity) <code>\(change.record)</code></td>\
        <td>\(InspectionText.date(change.since))</td><td>\(differences)</td><td>\(state)</td></tr>

        """
    }

    private var differences: HTML {
        let links = change.links.map { link -> HTML in
            "<div>\(link.relationship) <ins>+\(link.added)</ins> <del>−\(link.removed)</del></div>"
        }
        guard let values = change.values else { return "\(change.changed.joined(separator: ", "))\(links)" }
        let members = values.map { member -> HTML in
            let base = member.base.map { "<del>\(InspectionText.short($0))</del>" as HTML }
            let now = member.now.map { "<ins>\(InspectionText.short($0))</ins>" as HTML }
            let values = [base, now].compactMap(\.self).joined(separator: " → ")
            return "<div><span class=\"muted\">\(member.name)</span> \(values)</div>"
        }
        return members.joined() + links.joined()
    }

    private var state: HTML {
        var parts: [HTML] = []
        if let parked = change.parked {
            let attributes = parked.attributes.isEmpty ? "" : " (\(parked.attributes.joined(separator: ", ")))"
            parts.append("<span class=\"warning\">parked</span> \(parked.label)\(attributes)")
        } else if change.attempts > 0 {
            let error = change.error.map { ": \($0.text)" } ?? ""
            let next = change.retryAt.map { ", next at \(InspectionText.date($0))" } ?? ""
            parts.append("\(change.attempts) attempts\(error)\(next)")
        }
        if change.isUnclaimed { parts.append("<span class=\"warning\">of no entity</span>") }
        if change.isInside { parts.append("inside its owner") }
        if change.isSent, change.parked == nil { parts.append("sent, outcome not known") }
        if let answer = change.parked?.answer ?? change.lastError, !answer.isEmpty {
            parts.append("<span class=\"muted\">\(InspectionText.short(answer))</span>")
        }
        return parts.joined(separator: "<br>")
    }
}
