import Foundation
import TestSupport

/// What a shop's store holds after so many steps: each step is one save, and follows from its number alone. So a test
/// knows the whole content that a save must have left, and one that was cut off must not.
public struct Bookkeeping: Equatable, Sendable {
    /// How many steps were taken.
    public var step = 0
    /// The stock of each product, by its identity. Steps move it about; the sum stays.
    public var stock: [Int: Int] = [:]
    /// The pictures of each product, in order.
    public var pictures: [Int: [Int]] = [:]
    /// The tags of each product, sorted.
    public var tags: [Int: [Int]] = [:]
    /// The comments of each article, sorted: as many as the article says.
    public var comments: [Int: [Int]] = [:]

    public static let products = 1...8
    public static let tagNumbers = 1...4
    public static let stockOfEach = 100
    private static let articlesKept = 6

    /// One change of a step.
    public enum Change: Sendable {
        case move(from: Int, to: Int, count: Int)
        case publish(article: Int, comments: [Int])
        /// The comments go with the article, by the delete rule.
        case retract(article: Int)
        case tag(product: Int, tag: Int)
        case untag(product: Int, tag: Int)
        /// Moves a picture to the start, of another product perhaps.
        case show(picture: Int, from: Int, to: Int)
    }

    public init() {}

    /// The shop as it is opened: the first step.
    public static var opened: Bookkeeping {
        var books = Bookkeeping()
        for product in products {
            books.stock[product] = stockOfEach
            books.pictures[product] = [product * 10, product * 10 + 1]
            books.tags[product] = []
        }
        return books
    }

    /// The shop after so many steps.
    public static func after(_ steps: Int) -> Bookkeeping {
        var books = opened
        while books.step < steps { _ = books.advance() }
        return books
    }

    /// Takes the next step.
    ///
    /// - Returns: What it changes.
    public mutating func advance() -> [Change] {
        step += 1
        var random = SeededRandom(seed: UInt64(step))
        var changes: [Change] = []
        for _ in 1...3 {
            let from = Int.random(in: Self.products, using: &random)
            let to = Int.random(in: Self.products, using: &random)
            changes.append(.move(from: from, to: to, count: Int.random(in: 0...(stock[from] ?? 0), using: &random)))
            take(changes[changes.count - 1])
        }
        let count = Int.random(in: 1...8, using: &random)
        changes.append(.publish(article: step, comments: (0..<count).map { step * 10 + $0 }))
        if step > Self.articlesKept { changes.append(.retract(article: step - Self.articlesKept)) }
        let product = Int.random(in: Self.products, using: &random)
        let tag = Int.random(in: Self.tagNumbers, using: &random)
        let isTagged = tags[product]?.contains(tag) ?? false
        changes.append(isTagged ? .untag(product: product, tag: tag) : .tag(product: product, tag: tag))
        if let picture = pictures[product]?.randomElement(using: &random) {
            let to = Int.random(in: Self.products, using: &random)
            changes.append(.show(picture: picture, from: product, to: to))
        }
        changes.dropFirst(3).forEach { take($0) }
        return changes
    }

    private mutating func take(_ change: Change) {
        switch change {
        case .move(let from, let to, let count):
            stock[from, default: 0] -= count
            stock[to, default: 0] += count
        case .publish(let article, let numbers): comments[article] = numbers
        case .retract(let article): comments[article] = nil
        case .tag(let product, let tag): tags[product] = ((tags[product] ?? []) + [tag]).sorted()
        case .untag(let product, let tag): tags[product]?.removeAll { $0 == tag }
        case .show(let picture, let from, let to):
            pictures[from]?.removeAll { $0 == picture }
            pictures[to]?.insert(picture, at: 0)
        }
    }
}
