/// Maps the entities, attributes and relationships of a Core Data model to those of a schema.
///
/// `lockstep import Shop.xcdatamodeld --rows` writes it beside the schema, as `ShopRows.swift`. If you change the
/// schema before the app copies its rows, also change the map.
///
/// ```swift
/// extension CoreDataMap {
///     static let diary = CoreDataMap(entities: [
///         Entity(
///             "Entry", becomes: "Entry",
///             attributes: [Attribute("number", .integer64), Attribute("title", .string)],
///             relationships: [.toMany("photos", "Photo", inverse: "entry", isOrdered: true)])
///     ])
/// }
/// ```
public struct CoreDataMap: Sendable, Hashable {
    /// The entities of the model.
    package var entities: [Entity]

    /// Creates a map.
    public init(entities: [Entity]) { self.entities = entities }

    /// An entity of the model, with the attributes and relationships that it declares itself.
    public struct Entity: Sendable, Hashable {
        /// The name in the model.
        package var name: String
        /// The name of the parent in the model; `nil` if it has none.
        package var parent: String?
        /// The entity of the schema that its rows become; `nil` for an abstract one.
        package var becomes: String?
        /// The attribute of the schema that gets a new identity for each row; `nil` if the rows have an identity.
        package var localID: String?
        /// The attributes that are copied. Those of its ancestors are inherited.
        package var attributes: [Attribute]
        /// The relationships that are copied. Those of its ancestors are inherited; one with the same name replaces
        /// them.
        package var relationships: [Relationship]

        /// Describes an entity.
        ///
        /// - Parameters:
        ///   - name: The name in the model.
        ///   - parent: The name of the parent in the model; `nil` if it has none.
        ///   - becomes: The entity of the schema that its rows become; `nil` for an abstract one.
        ///   - localID: The attribute of the schema that gets a new identity for each row; `nil` if the rows have an
        ///     identity.
        ///   - attributes: The attributes that are copied. Those of its ancestors are inherited.
        ///   - relationships: The relationships that are copied. Those of its ancestors are inherited; one with the
        ///     same name replaces them.
        public init(
            _ name: String, parent: String? = nil, becomes: String? = nil, localID: String? = nil,
            attributes: [Attribute] = [], relationships: [Relationship] = []
        ) {
            (self.name, self.parent, self.becomes, self.localID) = (name, parent, becomes, localID)
            (self.attributes, self.relationships) = (attributes, relationships)
        }
    }

    /// An attribute of the model.
    public struct Attribute: Sendable, Hashable {
        /// The name in the model.
        package var name: String
        /// The type in the model.
        package var type: AttributeType
        /// Whether the model allows external storage.
        package var isExternal: Bool
        /// The attribute of the schema.
        package var becomes: String
        /// The parts of a composite attribute.
        package var parts: [Attribute]

        /// Describes an attribute.
        ///
        /// - Parameters:
        ///   - name: The name in the model.
        ///   - type: The type in the model.
        ///   - isExternal: Whether the model allows external storage.
        ///   - becomes: The attribute of the schema; `nil` if it has the same name.
        ///   - parts: The parts of a composite attribute, each of which has a column.
        public init(
            _ name: String, _ type: AttributeType, isExternal: Bool = false, becomes: String? = nil,
            parts: [Attribute] = []
        ) {
            (self.name, self.type, self.isExternal, self.becomes) = (name, type, isExternal, becomes ?? name)
            self.parts = parts
        }

        /// What has a column: the attribute, or each of its parts.
        var properties: [String] { type == .composite ? parts.map { "\(name).\($0.name)" } : [name] }
    }

    /// The types of the model editor.
    public enum AttributeType: Sendable, Hashable, CaseIterable {
        case string, boolean, date, integer16, integer32, integer64, double, float, decimal, uri, uuid, binary
        /// An archive of an object, or the output of a value transformer.
        case transformable
        /// A composite attribute, whose parts are separate columns, and which becomes `json`. It is not copied if the
        /// map does not name its parts.
        case composite
    }

    /// A relationship of the model.
    public struct Relationship: Sendable, Hashable {
        /// The name in the model.
        package var name: String
        /// The destination in the model.
        package var destination: String
        /// The relationship at the other end, in the model; `nil` if it has none.
        package var inverse: String?
        /// Whether it leads to any number of records.
        package var isToMany: Bool
        /// Whether its destinations have an order.
        package var isOrdered: Bool
        /// The relationship of the schema, by the entity of the schema that is its destination; `nil` if it has the
        /// same name for each.
        package var becomes: [String: String]?

        /// Describes a to-one relationship.
        ///
        /// - Parameters:
        ///   - name: The name in the model.
        ///   - destination: The destination in the model.
        ///   - inverse: The relationship at the other end, in the model; `nil` if it has none.
        ///   - becomes: The relationship of the schema, by the entity of the schema that is its destination; `nil` if
        ///     it has the same name for each.
        public static func toOne(
            _ name: String, _ destination: String, inverse: String? = nil, becomes: [String: String]? = nil
        ) -> Relationship {
            Relationship(
                name: name, destination: destination, inverse: inverse, isToMany: false, isOrdered: false,
                becomes: becomes)
        }

        /// Describes a to-many relationship.
        ///
        /// - Parameters:
        ///   - name: The name in the model.
        ///   - destination: The destination in the model.
        ///   - inverse: The relationship at the other end, in the model; `nil` if it has none.
        ///   - isOrdered: Whether its destinations have an order.
        ///   - becomes: The relationship of the schema, by the entity of the schema that is its destination; `nil` if
        ///     it has the same name for each.
        public static func toMany(
            _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false,
            becomes: [String: String]? = nil
        ) -> Relationship {
            Relationship(
                name: name, destination: destination, inverse: inverse, isToMany: true, isOrdered: isOrdered,
                becomes: becomes)
        }

        /// The relationship of the schema that leads to an entity of the schema; `nil` if there is none.
        func name(to entity: String) -> String? { if let becomes { becomes[entity] } else { name } }
    }
}
