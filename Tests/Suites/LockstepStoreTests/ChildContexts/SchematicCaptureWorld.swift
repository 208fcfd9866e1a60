import Foundation
import LockstepStore
import SchematicCapture

/// Cascades over four levels.
enum SchematicCaptureWorld: ContextWorld {
    static func makeStore() throws -> Store { try Store(SchematicCaptureSchema.self, at: .inMemory) }

    static func apply(_ edit: Edit, in context: ManagedObjectContext) throws {
        let (first, second) = (Int32(edit.first), Int32(edit.second))
        switch edit.kind % 14 {
        case 0: try project(first, context).name = "N\(edit.kind)"
        case 1: try sheet(first, context).project = project(second, context)
        case 2: try project(first, context).jobSheets.insert(sheet(second, context))
        case 3: try project(first, context).jobSheets.remove(sheet(second, context))
        case 4, 5: try component(first, context).jobSheet = sheet(second, context)
        case 6: try sheet(first, context).components.replaceAll(with: [component(second, context)])
        case 7: try component(first, context).photo = photo(second, context)
        case 8: try photo(first, context).component = component(second, context)
        case 9: try component(first, context).manufacturer = "M\(edit.kind)"
        case 10: try context.delete(edit.place == 0 ? project(first, context) : component(first, context))
        case 11: try context.delete(edit.place < 2 ? sheet(first, context) : photo(first, context))
        case 12: try sheet(first, context).status = "S\(edit.kind)"
        default:
            // A record that leaves its owner, and is kept when the owner is replaced.
            let component = try component(first, context)
            component.jobSheet = nil
            try context.delete(sheet(second, context))
            component.jobSheet = JobSheet(id: second, name: "again", context: context)
        }
    }

    static func look(_ context: ManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for id in 1...Int32(Edit.recordCount) {
            if let project = try Project.find(id, in: context) {
                lines.append("project \(id) \(project.name) \(project.jobSheets.map(\.id))")
            }
            if let sheet = try JobSheet.find(id, in: context) {
                lines.append(
                    "sheet \(id) \(sheet.name) \(sheet.status) \(text(sheet.projectID)) \(sheet.components.map(\.id))")
            }
            if let component = try Component.find(id, in: context) {
                lines.append(
                    "component \(id) \(component.manufacturer ?? "") \(text(component.jobSheetID))"
                        + " \(text(component.photo?.id))")
            }
            if let photo = try Photo.find(id, in: context) { lines.append("photo \(id) \(text(photo.componentID))") }
        }
        return lines
    }

    private static func text(_ id: Int32?) -> String { id.map { String($0) } ?? "-" }

    private static func project(_ id: Int32, _ context: ManagedObjectContext) throws -> Project {
        try Project.findOrInsert(id, in: context) {
            Project(id: id, name: "P\(id)", client: "Acme", clientId: 1, context: $0)
        }
    }

    private static func sheet(_ id: Int32, _ context: ManagedObjectContext) throws -> JobSheet {
        try JobSheet.findOrInsert(id, in: context) { JobSheet(id: id, name: "S\(id)", context: $0) }
    }

    private static func component(_ id: Int32, _ context: ManagedObjectContext) throws -> Component {
        try Component.findOrInsert(id, in: context) { Component(id: id, componentId: "C\(id)", context: $0) }
    }

    private static func photo(_ id: Int32, _ context: ManagedObjectContext) throws -> Photo {
        try Photo.findOrInsert(id, in: context) { Photo(id: id, name: "F\(id)", context: $0) }
    }
}
