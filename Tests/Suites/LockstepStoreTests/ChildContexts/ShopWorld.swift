import Foundation
import LockstepStore
import Shop

/// To-one, to-many, one-to-one, ordered, many-to-many; nullify and cascade.
enum ShopWorld: ContextWorld {
    static func makeStore() throws -> Store { try Store(ShopSchema.self, at: .inMemory) }

    static func apply(_ edit: Edit, in context: ManagedObjectContext) throws {
        let product = try Product.findOrInsert(edit.first, in: context) {
            Product(id: edit.first, name: "P\(edit.first)", context: $0)
        }
        let (id, place) = (edit.second, edit.place)
        switch edit.kind % 19 {
        case 0: product.name = "N\(edit.kind)"
        case 1: product.stock += edit.kind
        case 2: context.delete(product)
        case 3:
            let tags = product.tags.sorted { $0.id < $1.id }
            context.delete(product)
            Product(id: edit.first, name: "again \(edit.kind)", tags: Array(tags.prefix(1)), context: context)
        case 4: try review(id, context).product = product
        case 5: try review(id, context).product = nil
        case 6: try image(id, context).pictured = product
        case 7: product.image = nil
        case 8: product.image = try image(id, context)
        case 9: product.images.insert(try picture(id, context), at: place)
        case 10: product.images.insert(try picture(id, context))
        case 11: product.images.replaceAll(with: product.images.reversed())
        case 12: product.images.remove(try picture(id, context))
        case 13: product.tags.insert(try tag(id, context))
        case 14: try tag(id, context).products.remove(product)
        case 15: product.tags.replaceAll(with: [try tag(id, context), try tag(place + 1, context)])
        case 16: context.delete(try place % 2 == 0 ? tag(id, context) : review(id, context))
        case 17: context.delete(try place % 2 == 0 ? image(id, context) : picture(id, context))
        default:
            let picture = try picture(id, context)
            picture.title = "T\(edit.kind)"
            // Linked from its own end, while the owner's members need not be loaded.
            picture.product = product
        }
    }

    static func look(_ context: ManagedObjectContext) throws -> [String] {
        var lines: [String] = []
        for id in 1...Edit.recordCount {
            if let product = try Product.find(id, in: context) {
                lines.append(
                    "product \(id) \(product.name) \(product.stock) reviews \(product.productReviews.map(\.id))"
                        + " image \(text(product.image?.id)) pictures \(product.images.map(\.id))"
                        + " tags \(product.tags.map(\.id).sorted())")
            }
            if let review = try ProductReview.find(id, in: context) {
                lines.append("review \(id) \(text(review.productID)) \(text(review.product?.id))")
            }
            if let image = try Image.find(id, in: context) {
                lines.append("image \(id) \(text(image.picturedID)) \(text(image.pictured?.id))")
            }
            if let picture = try Picture.find(id, in: context) {
                lines.append("picture \(id) \(picture.title ?? "") \(text(picture.productID))")
            }
            if let tag = try Shop.Tag.find(id, in: context) {
                lines.append("tag \(id) \(tag.name) \(tag.products.map(\.id).sorted())")
            }
        }
        return lines
    }

    private static func text(_ id: Int?) -> String { id.map(String.init) ?? "-" }

    private static func review(_ id: Int, _ context: ManagedObjectContext) throws -> ProductReview {
        try ProductReview.findOrInsert(id, in: context) {
            ProductReview(id: id, name: "R", reviewText: "Fine", context: $0)
        }
    }

    private static let url = URL(filePath: "/picture.png")

    private static func image(_ id: Int, _ context: ManagedObjectContext) throws -> Image {
        try Image.findOrInsert(id, in: context) { Image(id: id, url: url, context: $0) }
    }

    private static func picture(_ id: Int, _ context: ManagedObjectContext) throws -> Picture {
        try Picture.findOrInsert(id, in: context) { Picture(id: id, url: url, context: $0) }
    }

    private static func tag(_ id: Int, _ context: ManagedObjectContext) throws -> Shop.Tag {
        try Shop.Tag.findOrInsert(id, in: context) { Shop.Tag(id: id, name: "tag \(id)", context: $0) }
    }
}
