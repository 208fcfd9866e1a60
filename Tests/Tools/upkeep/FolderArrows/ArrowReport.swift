/// What is printed of a module's folders.
struct ArrowReport {
    let arrows: FolderArrows
    /// How many names are shown of each arrow in a cycle.
    private static let shownNames = 12

    /// The folders from the lowest layer up, what each uses, and each cycle with the names that make it.
    var text: String {
        let groups = arrows.cycles
        let count = arrows.folders.count
        let verdict = arrows.hasCycle ? "" : ", no cycle"
        var lines = ["\(arrows.module.name): \(Self.counted(count, "folder"))\(verdict)"]
        let width = arrows.folders.map(\.count).max() ?? 0
        for folder in groups.joined() { lines.append(line(of: folder, width)) }
        for group in groups where group.count > 1 {
            lines.append("  cycle of \(group.joined(separator: ", ")):")
            lines += described(group.flatMap { from in group.map { FolderArrows.Arrow(from: from, to: $0) } })
        }
        if !arrows.usesOfRoot.isEmpty {
            lines.append("  files outside of folders are the top layer, which no folder may use:")
            lines += described(arrows.usesOfRoot)
        }
        for type in arrows.ambiguousTypes {
            let homes = arrows.homes[type, default: []].sorted().joined(separator: ", ")
            lines.append("  not counted, because more than one folder declares it: \(type) (\(homes))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func line(of folder: String, _ width: Int) -> String {
        let files = arrows.module.files.filter { $0.folder == folder }
        let name = folder + String(repeating: " ", count: width - folder.count)
        let lineCount = files.reduce(0) { $0 + $1.lineCount }
        let size = "\(Self.counted(files.count, "file")), \(Self.counted(lineCount, "line"))"
        let targets = arrows.targets(of: folder).map { target in
            "\(target) (\(types(of: FolderArrows.Arrow(from: folder, to: target)).count))"
        }
        return "  \(name)  \(size); uses \(targets.isEmpty ? "none" : targets.joined(separator: ", "))"
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private func types(of arrow: FolderArrows.Arrow) -> [String] {
        Set(arrows.uses[arrow, default: []].map(\.type)).sorted()
    }

    /// Each arrow with its names, and the files of each; those with the fewest names first, for they are cut first.
    private func described(_ candidates: [FolderArrows.Arrow]) -> [String] {
        let present = candidates.filter { arrows.uses[$0] != nil }
        return present.sorted { types(of: $0).count < types(of: $1).count }.map { arrow in
            let types = types(of: arrow)
            let shown = types.prefix(Self.shownNames).map { "\($0) in \(files(using: $0, of: arrow))" }
            let rest = types.count > shown.count ? "; \(types.count - shown.count) more" : ""
            return "    \(arrow.from) -> \(arrow.to): \(shown.joined(separator: "; "))\(rest)"
        }
    }

    private func files(using type: String, of arrow: FolderArrows.Arrow) -> String {
        let files = arrows.uses[arrow, default: []].filter { $0.type == type }.map(\.file)
        let first = files.first?.split(separator: "/").last.map(String.init) ?? ""
        return files.count > 1 ? "\(first) and \(files.count - 1) more" : first
    }
}
