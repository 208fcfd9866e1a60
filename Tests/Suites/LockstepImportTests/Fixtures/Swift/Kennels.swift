import Foundation
import RealmSwift

class Hound: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted(indexed: true) var name = ""
    @Persisted var born: Date?
    @Persisted var weight: Double = 0
    @Persisted var coat: Coat = .short
    @Persisted var nicknames: List<String>
    @Persisted var commands: MutableSet<String>
    @Persisted var scores: Map<String, Int>
    @Persisted var anything: AnyRealmValue
    @Persisted var address: Address?
    @Persisted var chews: List<Chew>
    @Persisted var friends: MutableSet<Hound>
    @Persisted(originProperty: "hounds") var kennels: LinkingObjects<Kennel>
    var isDrawn = false

    override class func propertiesMapping() -> [String: String] { ["coat": "fur"] }
}

class Kennel: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var hounds: List<Hound>
    @Persisted var best: Hound?
    @objc dynamic var motto = "Fetch"
    let former = List<Hound>()
}

class Chew: Object {
    @Persisted(primaryKey: true) var id = UUID()
    @Persisted var price: Decimal128 = 0
    @Persisted(originProperty: "chews") var owners: LinkingObjects<Hound>
}

class Address: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var city: String = "Bergen"
}

class Leash: Object {
    @objc dynamic var code = ""
    @objc dynamic var length = 0

    override static func primaryKey() -> String? { "code" }

    override static func indexedProperties() -> [String] { return ["length"] }
}

enum Coat: String, PersistableEnum { case short, long, curly }
