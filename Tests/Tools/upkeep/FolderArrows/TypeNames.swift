/// What one file says of types: those it declares at its top, the names inside of each, and those it uses.
struct TypeNames: Equatable {
    /// Types declared at the top of the file that other files see.
    var declared: Set<String> = []
    /// The names that are known inside of a type: nested types, generic parameters, associated types. The key is the
    /// type's path, `Outer.Inner`. Extensions add to it.
    var members: [String: Set<String>] = [:]
    /// What a type inherits from or conforms to, by the type's path.
    var parents: [String: Set<String>] = [:]
    /// Names of types that are used, each with the path of the type it is used in, `""` at the top.
    var uses: Set<Use> = []

    struct Use: Hashable {
        var name: String
        var path: String
    }
}
