/// Which folders of a module use which others, by the types that each declares.
///
/// A type belongs to the folder that declares it, not to those that extend it; a use of a nested type is a use of the
/// outer one. Names known inside of a type (nested types, generic parameters, associated types) hide those of the
/// module. Functions and variables are not followed: a call of a member that an extension adds is no arrow.
struct FolderArrows {
    /// A use of a type of another folder.
    struct Use: Hashable {
        var type: String
        /// The path of the file that uses it.
        var file: String
    }

    struct Arrow: Hashable {
        var from: String
        var to: String
    }

    let module: SourceModule
    let folders: [String]
    /// The folders in which each type is declared.
    let homes: [String: Set<String>]
    private(set) var uses: [Arrow: [Use]] = [:]

    init(_ module: SourceModule) {
        self.module = module
        folders = Set(module.files.map(\.folder)).sorted()
        var homes: [String: Set<String>] = [:]
        for file in module.files {
            for name in file.names.declared { homes[name, default: []].insert(file.folder) }
        }
        self.homes = homes
        let scopes = TypeScopes(module.files.map(\.names))
        for file in module.files {
            for name in Set(file.names.uses.filter { !scopes.hides($0) }.map(\.name)).sorted() {
                guard let home = homes[name]?.first, homes[name]?.count == 1, home != file.folder else { continue }
                uses[Arrow(from: file.folder, to: home), default: []].append(Use(type: name, file: file.path))
            }
        }
    }

    /// Types that two folders declare, so that it is not known which one is used.
    var ambiguousTypes: [String] { homes.filter { $0.value.count > 1 }.keys.sorted() }

    /// The folders that a folder uses, most used first.
    func targets(of folder: String) -> [String] {
        folders.filter { uses[Arrow(from: folder, to: $0)] != nil }
    }

    /// Whether there is something that must not be: folders that use each other, or one that uses the module's own.
    var hasCycle: Bool { cycles.contains { $0.count > 1 } || !usesOfRoot.isEmpty }

    /// The arrows to the module's own folder, which may use all others and is used by none.
    var usesOfRoot: [Arrow] {
        uses.keys.filter { $0.to == SourceModule.root }.sorted { $0.from < $1.from }
    }
}
