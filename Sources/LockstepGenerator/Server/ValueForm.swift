import LockstepEvolution

/// How a value is sent: the conversions between its column and its JSON.
struct ValueForm {
    private let type: ValueType
    private let format: String?
    /// Whether it is an enum with integers.
    private let isIntegerEnum: Bool

    init(_ type: ValueType, format: String?, in schema: SchemaStructure) {
        self.type = type
        self.format = format
        if case .enumeration(let name) = type {
            isIntegerEnum = schema.enumeration(name)?.isInteger ?? false
        } else {
            isIntegerEnum = false
        }
    }

    /// The form of a key that refers to a record.
    init(_ key: KeyType) {
        type =
            switch key {
            case .text: .scalar(.string)
            case .uuid: .scalar(.uuid)
            case .bigint: .scalar(.int)
            }
        format = nil
        isIntegerEnum = false
    }

    /// What is sent of a column's value. PostgreSQL writes it as JSON.
    func json(_ column: Code) -> Code {
        switch (type, format) {
        // Infinity is a time of PostgreSQL, and of nobody else.
        case (.scalar(.date), _):
            "CASE WHEN isfinite(\(column)) THEN \(dateJSON(column, format: format ?? "")) END"
        case (.scalar(.day), _): "CASE WHEN isfinite(\(column)) THEN \(column) END"
        case (.scalar(.data), _): "translate(encode(\(column), 'base64'), E'\\n', '')"
        case (.scalar(.uuid), "uppercase"): "upper(\(column)::text)"
        case (.scalar(.bool), "text"), (.scalar(.decimal), "text"), (.scalar(.int), "text"), (.scalar(.int16), "text"),
            (.scalar(.int32), "text"), (.scalar(.int64), "text"), (.scalar(.float), "text"), (.scalar(.double), "text"),
            (.enumeration, "text"):
            "\(column)::text"
        default: column
        }
    }

    private func dateJSON(_ column: Code, format: String) -> Code {
        switch format {
        case "secondsSince1970": "round(extract(epoch FROM \(column)))::bigint"
        case "millisecondsSince1970": "round(extract(epoch FROM \(column)) * 1000)::bigint"
        case "microsecondsSince1970": "(extract(epoch FROM \(column)) * 1000000)::bigint"
        case "fractionalSecondsSince1970": "trim_scale(extract(epoch FROM \(column)))"
        case "fractionalMillisecondsSince1970": "trim_scale(extract(epoch FROM \(column)) * 1000)"
        default: column
        }
    }

    /// The present value of a column, with the type of those from JSON: the type of the column may be an enum.
    func present(_ column: Code) -> Code {
        if case .enumeration = type, !isIntegerEnum { return "\(column)::text" }
        return column
    }

    /// The value of a column that a JSON value stands for.
    ///
    /// - Parameter json: An expression of the type `jsonb`; `NULL` and JSON's null are no value.
    func value(fromJSON json: Code) -> Code {
        let text: Code = "lockstep_text(\(json))"
        return switch type {
        case .scalar(let scalar): value(of: scalar, json: json, text: text)
        case .enumeration: isIntegerEnum ? "\(text)::bigint" : text
        case .list: "lockstep_array(\(json))"
        case .attachment: text
        }
    }

    private func value(of scalar: ScalarType, json: Code, text: Code) -> Code {
        switch scalar {
        case .string, .url: text
        case .bool: "\(text)::boolean"
        case .int, .int64: "\(text)::bigint"
        case .int32: "\(text)::integer"
        case .int16: "\(text)::smallint"
        case .float: "\(text)::real"
        case .double: "\(text)::double precision"
        case .decimal: "\(text)::numeric"
        case .day: "lockstep_day(\(json))"
        case .uuid: "\(text)::uuid"
        case .data: "decode(\(text), 'base64')"
        case .json: "nullif(\(json), 'null')"
        case .date: date(json)
        }
    }

    private func date(_ json: Code) -> Code {
        switch format {
        case "secondsSince1970", "fractionalSecondsSince1970": "lockstep_timestamp(\(json), 1)"
        case "millisecondsSince1970", "fractionalMillisecondsSince1970": "lockstep_timestamp(\(json), 1000)"
        case "microsecondsSince1970": "lockstep_timestamp(\(json), 1000000)"
        default: "lockstep_timestamp(\(json))"
        }
    }
}
