package import Foundation

/// The options of an inspection: the parts that it reads and includes.
package struct InspectionOptions: Sendable {
    /// Whether values of records, textual identities and texts of servers are included.
    package var includesValues = false
    /// The only entity whose records are included; `nil` for all.
    package var entity: String?
    /// Whether the whole file is checked, which takes as long as reading it.
    package var checksIntegrity = true
    /// When the store is read.
    package var at: Date
    /// The salt of the stand-ins of textual identities; `nil` for that of the store.
    var salt: String?

    package init(
        includesValues: Bool = false, entity: String? = nil, checksIntegrity: Bool = true, at: Date = Date()
    ) {
        self.includesValues = includesValues
        self.entity = entity
        self.checksIntegrity = checksIntegrity
        self.at = at
    }

    func isIncluded(_ name: String) -> Bool { entity == nil || entity == name }
}
