import Foundation
@_spi(Generated) import LockstepStore
import StoreSamples

// Every type of attribute, required and optional, and every way to write it on the wire. The properties are in the
// order of the columns.

enum SpecimenSchema: StoreSchema {
    static let name = "Specimens"
    static let version = 1
    static let entities: [any Model.Type] = [Specimen.self]
    static let statements = [
        """
        CREATE TABLE "specimen" (
            "id" INTEGER PRIMARY KEY NOT NULL,
            \(Specimen.entity.columns.dropFirst().map { "\"\($0.name)\" \($0.isOptional ? "" : "NOT NULL")" }
                .joined(separator: ",\n    "))
        )
        """
    ]
}

enum Level: Int, ClosedEnum {
    case low = 0
    case high = 10
}

struct Money: CustomAttribute {
    var stored: Decimal

    init(stored: Decimal) { self.stored = stored }
}

final class Specimen: ManagedObject, Model {
    let id: Int
    var string: String { didSet { didChange(1, from: oldValue, to: string) } }
    var optionalString: String? { didSet { didChangeOptional(2, from: oldValue, to: optionalString) } }
    var flag: Bool { didSet { didChange(3, from: oldValue, to: flag) } }
    var optionalFlag: Bool? { didSet { didChangeOptional(4, from: oldValue, to: optionalFlag) } }
    var int: Int { didSet { didChange(5, from: oldValue, to: int) } }
    var optionalInt: Int? { didSet { didChangeOptional(6, from: oldValue, to: optionalInt) } }
    var int16: Int16 { didSet { didChange(7, from: oldValue, to: int16) } }
    var optionalInt16: Int16? { didSet { didChangeOptional(8, from: oldValue, to: optionalInt16) } }
    var int32: Int32 { didSet { didChange(9, from: oldValue, to: int32) } }
    var optionalInt32: Int32? { didSet { didChangeOptional(10, from: oldValue, to: optionalInt32) } }
    var int64: Int64 { didSet { didChange(11, from: oldValue, to: int64) } }
    var optionalInt64: Int64? { didSet { didChangeOptional(12, from: oldValue, to: optionalInt64) } }
    var float: Float { didSet { didChange(13, from: oldValue, to: float) } }
    var optionalFloat: Float? { didSet { didChangeOptional(14, from: oldValue, to: optionalFloat) } }
    var double: Double { didSet { didChange(15, from: oldValue, to: double) } }
    var optionalDouble: Double? { didSet { didChangeOptional(16, from: oldValue, to: optionalDouble) } }
    var decimal: Decimal { didSet { didChange(17, from: oldValue, to: decimal) } }
    var optionalDecimal: Decimal? { didSet { didChangeOptional(18, from: oldValue, to: optionalDecimal) } }
    var date: Date { didSet { date.roundToStore(); didChange(19, from: oldValue, to: date) } }
    var optionalDate: Date? {
        didSet { optionalDate?.roundToStore(); didChangeOptional(20, from: oldValue, to: optionalDate) }
    }
    var uuid: UUID { didSet { didChange(21, from: oldValue, to: uuid) } }
    var optionalUUID: UUID? { didSet { didChangeOptional(22, from: oldValue, to: optionalUUID) } }
    var url: URL { didSet { didChange(23, from: oldValue, to: url) } }
    var optionalURL: URL? { didSet { didChangeOptional(24, from: oldValue, to: optionalURL) } }
    var data: Data { didSet { didChange(25, from: oldValue, to: data) } }
    var optionalData: Data? { didSet { didChangeOptional(26, from: oldValue, to: optionalData) } }
    var json: JSONValue { didSet { didChange(27, from: oldValue, to: json) } }
    var optionalJSON: JSONValue? { didSet { didChangeOptional(28, from: oldValue, to: optionalJSON) } }
    var mood: Mood { didSet { didChange(29, from: oldValue, to: mood) } }
    var optionalMood: Mood? { didSet { didChangeOptional(30, from: oldValue, to: optionalMood) } }
    var level: Level { didSet { didChange(31, from: oldValue, to: level) } }
    var optionalLevel: Level? { didSet { didChangeOptional(32, from: oldValue, to: optionalLevel) } }
    var money: Money { didSet { didChange(33, from: oldValue, to: money) } }
    var optionalMoney: Money? { didSet { didChangeOptional(34, from: oldValue, to: optionalMoney) } }
    var strings: [String] { didSet { didChange(35, from: oldValue, to: strings) } }
    var optionalStrings: [String]? { didSet { didChangeOptional(36, from: oldValue, to: optionalStrings) } }
    var ints: [Int] { didSet { didChange(37, from: oldValue, to: ints) } }
    var optionalInts: [Int]? { didSet { didChangeOptional(38, from: oldValue, to: optionalInts) } }
    var dates: [Date] { didSet { didChange(39, from: oldValue, to: dates) } }
    var optionalDates: [Date]? { didSet { didChangeOptional(40, from: oldValue, to: optionalDates) } }
    var datas: [Data] { didSet { didChange(41, from: oldValue, to: datas) } }
    var optionalDatas: [Data]? { didSet { didChangeOptional(42, from: oldValue, to: optionalDatas) } }
    var decimals: [Decimal] { didSet { didChange(43, from: oldValue, to: decimals) } }
    var optionalDecimals: [Decimal]? { didSet { didChangeOptional(44, from: oldValue, to: optionalDecimals) } }
    var flags: [Bool] { didSet { didChange(45, from: oldValue, to: flags) } }
    var optionalFlags: [Bool]? { didSet { didChangeOptional(46, from: oldValue, to: optionalFlags) } }
    var doubles: [Double] { didSet { didChange(47, from: oldValue, to: doubles) } }
    var optionalDoubles: [Double]? { didSet { didChangeOptional(48, from: oldValue, to: optionalDoubles) } }
    var uuids: [UUID] { didSet { didChange(49, from: oldValue, to: uuids) } }
    var optionalUUIDs: [UUID]? { didSet { didChangeOptional(50, from: oldValue, to: optionalUUIDs) } }
    var jsons: [JSONValue] { didSet { didChange(51, from: oldValue, to: jsons) } }
    var optionalJSONs: [JSONValue]? { didSet { didChangeOptional(52, from: oldValue, to: optionalJSONs) } }
    var moods: [Mood] { didSet { didChange(53, from: oldValue, to: moods) } }
    var optionalMoods: [Mood]? { didSet { didChangeOptional(54, from: oldValue, to: optionalMoods) } }
    var moneys: [Money] { didSet { didChange(55, from: oldValue, to: moneys) } }
    var optionalMoneys: [Money]? { didSet { didChangeOptional(56, from: oldValue, to: optionalMoneys) } }
    var textInt: Int64 { didSet { didChange(57, from: oldValue, to: textInt) } }
    var textDouble: Double { didSet { didChange(58, from: oldValue, to: textDouble) } }
    var textDecimal: Decimal { didSet { didChange(59, from: oldValue, to: textDecimal) } }
    var textFlag: Bool { didSet { didChange(60, from: oldValue, to: textFlag) } }
    var textFloat: Float { didSet { didChange(61, from: oldValue, to: textFloat) } }
    var seconds: Date { didSet { seconds.roundToStore(); didChange(62, from: oldValue, to: seconds) } }
    var milliseconds: Date { didSet { milliseconds.roundToStore(); didChange(63, from: oldValue, to: milliseconds) } }
    var spaced: Date { didSet { spaced.roundToStore(); didChange(64, from: oldValue, to: spaced) } }
    var secondsList: [Date] { didSet { didChange(65, from: oldValue, to: secondsList) } }

    @discardableResult
    init?(representation: SpecimenRepresentation, context: Context) {
        guard Self.isValid(representation) else { return nil }
        id = representation.id
        string = representation.string
        optionalString = representation.optionalString
        flag = representation.flag
        optionalFlag = representation.optionalFlag
        int = representation.int
        optionalInt = representation.optionalInt
        int16 = representation.int16
        optionalInt16 = representation.optionalInt16
        int32 = representation.int32
        optionalInt32 = representation.optionalInt32
        int64 = representation.int64
        optionalInt64 = representation.optionalInt64
        float = representation.float
        optionalFloat = representation.optionalFloat
        double = representation.double
        optionalDouble = representation.optionalDouble
        decimal = representation.decimal
        optionalDecimal = representation.optionalDecimal
        date = representation.date.roundedToStore
        optionalDate = representation.optionalDate?.roundedToStore
        uuid = representation.uuid
        optionalUUID = representation.optionalUUID
        url = representation.url
        optionalURL = representation.optionalURL
        data = representation.data
        optionalData = representation.optionalData
        json = representation.json
        optionalJSON = representation.optionalJSON
        mood = representation.mood
        optionalMood = representation.optionalMood
        level = representation.level
        optionalLevel = representation.optionalLevel
        money = representation.money
        optionalMoney = representation.optionalMoney
        strings = representation.strings
        optionalStrings = representation.optionalStrings
        ints = representation.ints
        optionalInts = representation.optionalInts
        dates = representation.dates
        optionalDates = representation.optionalDates
        datas = representation.datas
        optionalDatas = representation.optionalDatas
        decimals = representation.decimals
        optionalDecimals = representation.optionalDecimals
        flags = representation.flags
        optionalFlags = representation.optionalFlags
        doubles = representation.doubles
        optionalDoubles = representation.optionalDoubles
        uuids = representation.uuids
        optionalUUIDs = representation.optionalUUIDs
        jsons = representation.jsons
        optionalJSONs = representation.optionalJSONs
        moods = representation.moods
        optionalMoods = representation.optionalMoods
        moneys = representation.moneys
        optionalMoneys = representation.optionalMoneys
        textInt = representation.textInt
        textDouble = representation.textDouble
        textDecimal = representation.textDecimal
        textFlag = representation.textFlag
        textFloat = representation.textFloat
        seconds = representation.seconds.roundedToStore
        milliseconds = representation.milliseconds.roundedToStore
        spaced = representation.spaced.roundedToStore
        secondsList = representation.secondsList
        super.init(context: context)
        context.insert(self)
    }

    required init(row: RowReader, context: Context) {
        id = row.int(0)
        string = row.string(1)
        optionalString = row.optionalString(2)
        flag = row.bool(3)
        optionalFlag = row.optionalBool(4)
        int = row.int(5)
        optionalInt = row.optionalInt(6)
        int16 = row.int16(7)
        optionalInt16 = row.optionalInt16(8)
        int32 = row.int32(9)
        optionalInt32 = row.optionalInt32(10)
        int64 = row.int64(11)
        optionalInt64 = row.optionalInt64(12)
        float = row.float(13)
        optionalFloat = row.optionalFloat(14)
        double = row.double(15)
        optionalDouble = row.optionalDouble(16)
        decimal = row.decimal(17)
        optionalDecimal = row.optionalDecimal(18)
        date = row.date(19)
        optionalDate = row.optionalDate(20)
        uuid = row.uuid(21)
        optionalUUID = row.optionalUUID(22)
        url = row.url(23)
        optionalURL = row.optionalURL(24)
        data = row.data(25)
        optionalData = row.optionalData(26)
        json = row.json(27)
        optionalJSON = row.optionalJSON(28)
        mood = row.enumeration(29)
        optionalMood = row.optionalEnumeration(30)
        level = row.enumeration(31)
        optionalLevel = row.optionalEnumeration(32)
        money = row.custom(33)
        optionalMoney = row.optionalCustom(34)
        strings = row.list(35)
        optionalStrings = row.optionalList(36)
        ints = row.list(37)
        optionalInts = row.optionalList(38)
        dates = row.list(39)
        optionalDates = row.optionalList(40)
        datas = row.list(41)
        optionalDatas = row.optionalList(42)
        decimals = row.list(43)
        optionalDecimals = row.optionalList(44)
        flags = row.list(45)
        optionalFlags = row.optionalList(46)
        doubles = row.list(47)
        optionalDoubles = row.optionalList(48)
        uuids = row.list(49)
        optionalUUIDs = row.optionalList(50)
        jsons = row.list(51)
        optionalJSONs = row.optionalList(52)
        moods = row.list(53)
        optionalMoods = row.optionalList(54)
        moneys = row.list(55)
        optionalMoneys = row.optionalList(56)
        textInt = row.int64(57)
        textDouble = row.double(58)
        textDecimal = row.decimal(59)
        textFlag = row.bool(60)
        textFloat = row.float(61)
        seconds = row.date(62)
        milliseconds = row.date(63)
        spaced = row.date(64)
        secondsList = row.list(65)
        super.init(loadedIn: context)
    }

    override func load(_ column: Int, from row: RowReader) {
        switch column {
        case 1: string = row.string(1)
        case 2: optionalString = row.optionalString(2)
        case 3: flag = row.bool(3)
        case 4: optionalFlag = row.optionalBool(4)
        case 5: int = row.int(5)
        case 6: optionalInt = row.optionalInt(6)
        case 7: int16 = row.int16(7)
        case 8: optionalInt16 = row.optionalInt16(8)
        case 9: int32 = row.int32(9)
        case 10: optionalInt32 = row.optionalInt32(10)
        case 11: int64 = row.int64(11)
        case 12: optionalInt64 = row.optionalInt64(12)
        case 13: float = row.float(13)
        case 14: optionalFloat = row.optionalFloat(14)
        case 15: double = row.double(15)
        case 16: optionalDouble = row.optionalDouble(16)
        case 17: decimal = row.decimal(17)
        case 18: optionalDecimal = row.optionalDecimal(18)
        case 19: date = row.date(19)
        case 20: optionalDate = row.optionalDate(20)
        case 21: uuid = row.uuid(21)
        case 22: optionalUUID = row.optionalUUID(22)
        case 23: url = row.url(23)
        case 24: optionalURL = row.optionalURL(24)
        case 25: data = row.data(25)
        case 26: optionalData = row.optionalData(26)
        case 27: json = row.json(27)
        case 28: optionalJSON = row.optionalJSON(28)
        case 29: mood = row.enumeration(29)
        case 30: optionalMood = row.optionalEnumeration(30)
        case 31: level = row.enumeration(31)
        case 32: optionalLevel = row.optionalEnumeration(32)
        case 33: money = row.custom(33)
        case 34: optionalMoney = row.optionalCustom(34)
        case 35: strings = row.list(35)
        case 36: optionalStrings = row.optionalList(36)
        case 37: ints = row.list(37)
        case 38: optionalInts = row.optionalList(38)
        case 39: dates = row.list(39)
        case 40: optionalDates = row.optionalList(40)
        case 41: datas = row.list(41)
        case 42: optionalDatas = row.optionalList(42)
        case 43: decimals = row.list(43)
        case 44: optionalDecimals = row.optionalList(44)
        case 45: flags = row.list(45)
        case 46: optionalFlags = row.optionalList(46)
        case 47: doubles = row.list(47)
        case 48: optionalDoubles = row.optionalList(48)
        case 49: uuids = row.list(49)
        case 50: optionalUUIDs = row.optionalList(50)
        case 51: jsons = row.list(51)
        case 52: optionalJSONs = row.optionalList(52)
        case 53: moods = row.list(53)
        case 54: optionalMoods = row.optionalList(54)
        case 55: moneys = row.list(55)
        case 56: optionalMoneys = row.optionalList(56)
        case 57: textInt = row.int64(57)
        case 58: textDouble = row.double(58)
        case 59: textDecimal = row.decimal(59)
        case 60: textFlag = row.bool(60)
        case 61: textFloat = row.float(61)
        case 62: seconds = row.date(62)
        case 63: milliseconds = row.date(63)
        case 64: spaced = row.date(64)
        case 65: secondsList = row.list(65)
        default: break
        }
    }

    override func bind(_ column: Int, to row: inout RowWriter) {
        switch column {
        case 0: row.int(id)
        case 1: row.string(string)
        case 2: row.optionalString(optionalString)
        case 3: row.bool(flag)
        case 4: row.optionalBool(optionalFlag)
        case 5: row.int(int)
        case 6: row.optionalInt(optionalInt)
        case 7: row.int16(int16)
        case 8: row.optionalInt16(optionalInt16)
        case 9: row.int32(int32)
        case 10: row.optionalInt32(optionalInt32)
        case 11: row.int64(int64)
        case 12: row.optionalInt64(optionalInt64)
        case 13: row.float(float)
        case 14: row.optionalFloat(optionalFloat)
        case 15: row.double(double)
        case 16: row.optionalDouble(optionalDouble)
        case 17: row.decimal(decimal)
        case 18: row.optionalDecimal(optionalDecimal)
        case 19: row.date(date)
        case 20: row.optionalDate(optionalDate)
        case 21: row.uuid(uuid)
        case 22: row.optionalUUID(optionalUUID)
        case 23: row.url(url)
        case 24: row.optionalURL(optionalURL)
        case 25: row.data(data)
        case 26: row.optionalData(optionalData)
        case 27: row.json(json)
        case 28: row.optionalJSON(optionalJSON)
        case 29: row.enumeration(mood)
        case 30: row.optionalEnumeration(optionalMood)
        case 31: row.enumeration(level)
        case 32: row.optionalEnumeration(optionalLevel)
        case 33: row.custom(money)
        case 34: row.optionalCustom(optionalMoney)
        case 35: row.list(strings)
        case 36: row.optionalList(optionalStrings)
        case 37: row.list(ints)
        case 38: row.optionalList(optionalInts)
        case 39: row.list(dates)
        case 40: row.optionalList(optionalDates)
        case 41: row.list(datas)
        case 42: row.optionalList(optionalDatas)
        case 43: row.list(decimals)
        case 44: row.optionalList(optionalDecimals)
        case 45: row.list(flags)
        case 46: row.optionalList(optionalFlags)
        case 47: row.list(doubles)
        case 48: row.optionalList(optionalDoubles)
        case 49: row.list(uuids)
        case 50: row.optionalList(optionalUUIDs)
        case 51: row.list(jsons)
        case 52: row.optionalList(optionalJSONs)
        case 53: row.list(moods)
        case 54: row.optionalList(optionalMoods)
        case 55: row.list(moneys)
        case 56: row.optionalList(optionalMoneys)
        case 57: row.int64(textInt)
        case 58: row.double(textDouble)
        case 59: row.decimal(textDecimal)
        case 60: row.bool(textFlag)
        case 61: row.float(textFloat)
        case 62: row.date(seconds)
        case 63: row.date(milliseconds)
        case 64: row.date(spaced)
        case 65: row.list(secondsList)
        default: break
        }
    }

    var representation: SpecimenRepresentation {
        SpecimenRepresentation(
            id: id,
            string: string,
            optionalString: optionalString,
            flag: flag,
            optionalFlag: optionalFlag,
            int: int,
            optionalInt: optionalInt,
            int16: int16,
            optionalInt16: optionalInt16,
            int32: int32,
            optionalInt32: optionalInt32,
            int64: int64,
            optionalInt64: optionalInt64,
            float: float,
            optionalFloat: optionalFloat,
            double: double,
            optionalDouble: optionalDouble,
            decimal: decimal,
            optionalDecimal: optionalDecimal,
            date: date,
            optionalDate: optionalDate,
            uuid: uuid,
            optionalUUID: optionalUUID,
            url: url,
            optionalURL: optionalURL,
            data: data,
            optionalData: optionalData,
            json: json,
            optionalJSON: optionalJSON,
            mood: mood,
            optionalMood: optionalMood,
            level: level,
            optionalLevel: optionalLevel,
            money: money,
            optionalMoney: optionalMoney,
            strings: strings,
            optionalStrings: optionalStrings,
            ints: ints,
            optionalInts: optionalInts,
            dates: dates,
            optionalDates: optionalDates,
            datas: datas,
            optionalDatas: optionalDatas,
            decimals: decimals,
            optionalDecimals: optionalDecimals,
            flags: flags,
            optionalFlags: optionalFlags,
            doubles: doubles,
            optionalDoubles: optionalDoubles,
            uuids: uuids,
            optionalUUIDs: optionalUUIDs,
            jsons: jsons,
            optionalJSONs: optionalJSONs,
            moods: moods,
            optionalMoods: optionalMoods,
            moneys: moneys,
            optionalMoneys: optionalMoneys,
            textInt: textInt,
            textDouble: textDouble,
            textDecimal: textDecimal,
            textFlag: textFlag,
            textFloat: textFloat,
            seconds: seconds,
            milliseconds: milliseconds,
            spaced: spaced,
            secondsList: secondsList)
    }

    func update(from representation: SpecimenRepresentation) {
        string = representation.string
        optionalString = representation.optionalString
        flag = representation.flag
        optionalFlag = representation.optionalFlag
        int = representation.int
        optionalInt = representation.optionalInt
        int16 = representation.int16
        optionalInt16 = representation.optionalInt16
        int32 = representation.int32
        optionalInt32 = representation.optionalInt32
        int64 = representation.int64
        optionalInt64 = representation.optionalInt64
        float = representation.float
        optionalFloat = representation.optionalFloat
        double = representation.double
        optionalDouble = representation.optionalDouble
        decimal = representation.decimal
        optionalDecimal = representation.optionalDecimal
        date = representation.date
        optionalDate = representation.optionalDate
        uuid = representation.uuid
        optionalUUID = representation.optionalUUID
        url = representation.url
        optionalURL = representation.optionalURL
        data = representation.data
        optionalData = representation.optionalData
        json = representation.json
        optionalJSON = representation.optionalJSON
        mood = representation.mood
        optionalMood = representation.optionalMood
        level = representation.level
        optionalLevel = representation.optionalLevel
        money = representation.money
        optionalMoney = representation.optionalMoney
        strings = representation.strings
        optionalStrings = representation.optionalStrings
        ints = representation.ints
        optionalInts = representation.optionalInts
        dates = representation.dates
        optionalDates = representation.optionalDates
        datas = representation.datas
        optionalDatas = representation.optionalDatas
        decimals = representation.decimals
        optionalDecimals = representation.optionalDecimals
        flags = representation.flags
        optionalFlags = representation.optionalFlags
        doubles = representation.doubles
        optionalDoubles = representation.optionalDoubles
        uuids = representation.uuids
        optionalUUIDs = representation.optionalUUIDs
        jsons = representation.jsons
        optionalJSONs = representation.optionalJSONs
        moods = representation.moods
        optionalMoods = representation.optionalMoods
        moneys = representation.moneys
        optionalMoneys = representation.optionalMoneys
        textInt = representation.textInt
        textDouble = representation.textDouble
        textDecimal = representation.textDecimal
        textFlag = representation.textFlag
        textFloat = representation.textFloat
        seconds = representation.seconds
        milliseconds = representation.milliseconds
        spaced = representation.spaced
        secondsList = representation.secondsList
    }

    func matches(_ representation: SpecimenRepresentation) -> Bool {
        guard id == representation.id else { return false }
        guard string == representation.string else { return false }
        guard optionalString == representation.optionalString else { return false }
        guard flag == representation.flag else { return false }
        guard optionalFlag == representation.optionalFlag else { return false }
        guard int == representation.int else { return false }
        guard optionalInt == representation.optionalInt else { return false }
        guard int16 == representation.int16 else { return false }
        guard optionalInt16 == representation.optionalInt16 else { return false }
        guard int32 == representation.int32 else { return false }
        guard optionalInt32 == representation.optionalInt32 else { return false }
        guard int64 == representation.int64 else { return false }
        guard optionalInt64 == representation.optionalInt64 else { return false }
        guard float == representation.float else { return false }
        guard optionalFloat == representation.optionalFloat else { return false }
        guard double == representation.double else { return false }
        guard optionalDouble == representation.optionalDouble else { return false }
        guard decimal == representation.decimal else { return false }
        guard optionalDecimal == representation.optionalDecimal else { return false }
        guard date == representation.date.roundedToStore else { return false }
        guard optionalDate == representation.optionalDate?.roundedToStore else { return false }
        guard uuid == representation.uuid else { return false }
        guard optionalUUID == representation.optionalUUID else { return false }
        guard url == representation.url else { return false }
        guard optionalURL == representation.optionalURL else { return false }
        guard data == representation.data else { return false }
        guard optionalData == representation.optionalData else { return false }
        guard json == representation.json else { return false }
        guard optionalJSON == representation.optionalJSON else { return false }
        guard mood == representation.mood else { return false }
        guard optionalMood == representation.optionalMood else { return false }
        guard level == representation.level else { return false }
        guard optionalLevel == representation.optionalLevel else { return false }
        guard money == representation.money else { return false }
        guard optionalMoney == representation.optionalMoney else { return false }
        guard strings == representation.strings else { return false }
        guard optionalStrings == representation.optionalStrings else { return false }
        guard ints == representation.ints else { return false }
        guard optionalInts == representation.optionalInts else { return false }
        guard dates == representation.dates else { return false }
        guard optionalDates == representation.optionalDates else { return false }
        guard datas == representation.datas else { return false }
        guard optionalDatas == representation.optionalDatas else { return false }
        guard decimals == representation.decimals else { return false }
        guard optionalDecimals == representation.optionalDecimals else { return false }
        guard flags == representation.flags else { return false }
        guard optionalFlags == representation.optionalFlags else { return false }
        guard doubles == representation.doubles else { return false }
        guard optionalDoubles == representation.optionalDoubles else { return false }
        guard uuids == representation.uuids else { return false }
        guard optionalUUIDs == representation.optionalUUIDs else { return false }
        guard jsons == representation.jsons else { return false }
        guard optionalJSONs == representation.optionalJSONs else { return false }
        guard moods == representation.moods else { return false }
        guard optionalMoods == representation.optionalMoods else { return false }
        guard moneys == representation.moneys else { return false }
        guard optionalMoneys == representation.optionalMoneys else { return false }
        guard textInt == representation.textInt else { return false }
        guard textDouble == representation.textDouble else { return false }
        guard textDecimal == representation.textDecimal else { return false }
        guard textFlag == representation.textFlag else { return false }
        guard textFloat == representation.textFloat else { return false }
        guard seconds == representation.seconds.roundedToStore else { return false }
        guard milliseconds == representation.milliseconds.roundedToStore else { return false }
        guard spaced == representation.spaced.roundedToStore else { return false }
        guard secondsList == representation.secondsList else { return false }
        return true
    }
}

extension Specimen {
    typealias Identity = Int
    typealias Representation = SpecimenRepresentation

    static let entity = EntityDescription(
        name: "Specimen", table: "specimen", identity: .columns([0]),
        columns: [
            .attribute("id", column: "id", .int, wire: "id"),
            .attribute("string", column: "string", .string, wire: "string"),
            .attribute("optionalString", column: "optionalString", .string, isOptional: true, wire: "optionalString"),
            .attribute("flag", column: "flag", .bool, wire: "flag"),
            .attribute("optionalFlag", column: "optionalFlag", .bool, isOptional: true, wire: "optionalFlag"),
            .attribute("int", column: "int", .int, wire: "int"),
            .attribute("optionalInt", column: "optionalInt", .int, isOptional: true, wire: "optionalInt"),
            .attribute("int16", column: "int16", .int16, wire: "int16"),
            .attribute("optionalInt16", column: "optionalInt16", .int16, isOptional: true, wire: "optionalInt16"),
            .attribute("int32", column: "int32", .int32, wire: "int32"),
            .attribute("optionalInt32", column: "optionalInt32", .int32, isOptional: true, wire: "optionalInt32"),
            .attribute("int64", column: "int64", .int64, wire: .path(["nested", "int64"])),
            .attribute("optionalInt64", column: "optionalInt64", .int64, isOptional: true, wire: "optionalInt64"),
            .attribute("float", column: "float", .float, wire: "float"),
            .attribute("optionalFloat", column: "optionalFloat", .float, isOptional: true, wire: "optionalFloat"),
            .attribute("double", column: "double", .double, wire: "double"),
            .attribute("optionalDouble", column: "optionalDouble", .double, isOptional: true, wire: "optionalDouble"),
            .attribute("decimal", column: "decimal", .decimal, wire: "decimal"),
            .attribute(
                "optionalDecimal", column: "optionalDecimal", .decimal, isOptional: true, wire: "optionalDecimal"),
            .attribute("date", column: "date", .date, wire: "date"),
            .attribute(
                "optionalDate", column: "optionalDate", .date, isOptional: true,
                wire: .path(["nested", "optionalDate"])),
            .attribute("uuid", column: "uuid", .uuid, wire: "uuid"),
            .attribute("optionalUUID", column: "optionalUUID", .uuid, isOptional: true, wire: "optionalUUID"),
            .attribute("url", column: "url", .url, wire: "url"),
            .attribute("optionalURL", column: "optionalURL", .url, isOptional: true, wire: "optionalURL"),
            .attribute("data", column: "data", .data, wire: "data"),
            .attribute("optionalData", column: "optionalData", .data, isOptional: true, wire: "optionalData"),
            .attribute("json", column: "json", .json, wire: "json"),
            .attribute("optionalJSON", column: "optionalJSON", .json, isOptional: true, wire: "optionalJSON"),
            .attribute("mood", column: "mood", .enumeration(.string), wire: "mood"),
            .attribute(
                "optionalMood", column: "optionalMood", .enumeration(.string), isOptional: true, wire: "optionalMood"),
            .attribute("level", column: "level", .enumeration(.int, closed: [0, 10]), wire: "level"),
            .attribute(
                "optionalLevel", column: "optionalLevel", .enumeration(.int, closed: [0, 10]), isOptional: true,
                wire: "optionalLevel"),
            .attribute("money", column: "money", .custom(Money.self, of: .decimal), wire: "money"),
            .attribute(
                "optionalMoney", column: "optionalMoney", .custom(Money.self, of: .decimal), isOptional: true,
                wire: "optionalMoney"
            ),
            .attribute("strings", column: "strings", .list(of: .string), wire: "strings"),
            .attribute(
                "optionalStrings", column: "optionalStrings", .list(of: .string), isOptional: true,
                wire: "optionalStrings"),
            .attribute("ints", column: "ints", .list(of: .int), wire: "ints"),
            .attribute("optionalInts", column: "optionalInts", .list(of: .int), isOptional: true, wire: "optionalInts"),
            .attribute("dates", column: "dates", .list(of: .date), wire: "dates"),
            .attribute(
                "optionalDates", column: "optionalDates", .list(of: .date), isOptional: true, wire: "optionalDates"),
            .attribute("datas", column: "datas", .list(of: .data), wire: "datas"),
            .attribute(
                "optionalDatas", column: "optionalDatas", .list(of: .data), isOptional: true, wire: "optionalDatas"),
            .attribute("decimals", column: "decimals", .list(of: .decimal), wire: "decimals"),
            .attribute(
                "optionalDecimals", column: "optionalDecimals", .list(of: .decimal), isOptional: true,
                wire: "optionalDecimals"),
            .attribute("flags", column: "flags", .list(of: .bool), wire: "flags"),
            .attribute(
                "optionalFlags", column: "optionalFlags", .list(of: .bool), isOptional: true, wire: "optionalFlags"),
            .attribute("doubles", column: "doubles", .list(of: .double), wire: "doubles"),
            .attribute(
                "optionalDoubles", column: "optionalDoubles", .list(of: .double), isOptional: true,
                wire: "optionalDoubles"),
            .attribute("uuids", column: "uuids", .list(of: .uuid), wire: "uuids"),
            .attribute(
                "optionalUUIDs", column: "optionalUUIDs", .list(of: .uuid), isOptional: true, wire: "optionalUUIDs"),
            .attribute("jsons", column: "jsons", .list(of: .json), wire: "jsons"),
            .attribute(
                "optionalJSONs", column: "optionalJSONs", .list(of: .json), isOptional: true, wire: "optionalJSONs"),
            .attribute("moods", column: "moods", .list(of: .enumeration(.string)), wire: "moods"),
            .attribute(
                "optionalMoods", column: "optionalMoods", .list(of: .enumeration(.string)), isOptional: true,
                wire: "optionalMoods"),
            .attribute("moneys", column: "moneys", .list(of: .custom(Money.self, of: .decimal)), wire: "moneys"),
            .attribute(
                "optionalMoneys", column: "optionalMoneys", .list(of: .custom(Money.self, of: .decimal)),
                isOptional: true,
                wire: "optionalMoneys"),
            .attribute("textInt", column: "textInt", .int64, wire: "textInt"),
            .attribute("textDouble", column: "textDouble", .double, wire: "textDouble"),
            .attribute("textDecimal", column: "textDecimal", .decimal, wire: "textDecimal"),
            .attribute("textFlag", column: "textFlag", .bool, wire: "textFlag"),
            .attribute("textFloat", column: "textFloat", .float, wire: "textFloat"),
            .attribute("seconds", column: "seconds", .date, wire: "seconds"),
            .attribute("milliseconds", column: "milliseconds", .date, wire: "milliseconds"),
            .attribute("spaced", column: "spaced", .date, wire: "spaced"),
            .attribute("secondsList", column: "secondsList", .list(of: .date), wire: "secondsList"),
        ])

    var identity: Int { id }

    static func identity(in row: RowReader) -> Int { row.int(0) }
}

struct SpecimenRepresentation: Representation {
    typealias Object = Specimen

    var id: Int
    var string: String
    var optionalString: String?
    var flag: Bool
    var optionalFlag: Bool?
    var int: Int
    var optionalInt: Int?
    var int16: Int16
    var optionalInt16: Int16?
    var int32: Int32
    var optionalInt32: Int32?
    var int64: Int64
    var optionalInt64: Int64?
    var float: Float
    var optionalFloat: Float?
    var double: Double
    var optionalDouble: Double?
    var decimal: Decimal
    var optionalDecimal: Decimal?
    var date: Date
    var optionalDate: Date?
    var uuid: UUID
    var optionalUUID: UUID?
    var url: URL
    var optionalURL: URL?
    var data: Data
    var optionalData: Data?
    var json: JSONValue
    var optionalJSON: JSONValue?
    var mood: Mood
    var optionalMood: Mood?
    var level: Level
    var optionalLevel: Level?
    var money: Money
    var optionalMoney: Money?
    var strings: [String]
    var optionalStrings: [String]?
    var ints: [Int]
    var optionalInts: [Int]?
    var dates: [Date]
    var optionalDates: [Date]?
    var datas: [Data]
    var optionalDatas: [Data]?
    var decimals: [Decimal]
    var optionalDecimals: [Decimal]?
    var flags: [Bool]
    var optionalFlags: [Bool]?
    var doubles: [Double]
    var optionalDoubles: [Double]?
    var uuids: [UUID]
    var optionalUUIDs: [UUID]?
    var jsons: [JSONValue]
    var optionalJSONs: [JSONValue]?
    var moods: [Mood]
    var optionalMoods: [Mood]?
    var moneys: [Money]
    var optionalMoneys: [Money]?
    var textInt: Int64
    var textDouble: Double
    var textDecimal: Decimal
    var textFlag: Bool
    var textFloat: Float
    var seconds: Date
    var milliseconds: Date
    var spaced: Date
    var secondsList: [Date]

    enum CodingKeys: String, CodingKey {
        case id
        case string
        case optionalString
        case flag
        case optionalFlag
        case int
        case optionalInt
        case int16
        case optionalInt16
        case int32
        case optionalInt32
        case int64
        case optionalInt64
        case float
        case optionalFloat
        case double
        case optionalDouble
        case decimal
        case optionalDecimal
        case date
        case optionalDate
        case uuid
        case optionalUUID
        case url
        case optionalURL
        case data
        case optionalData
        case json
        case optionalJSON
        case mood
        case optionalMood
        case level
        case optionalLevel
        case money
        case optionalMoney
        case strings
        case optionalStrings
        case ints
        case optionalInts
        case dates
        case optionalDates
        case datas
        case optionalDatas
        case decimals
        case optionalDecimals
        case flags
        case optionalFlags
        case doubles
        case optionalDoubles
        case uuids
        case optionalUUIDs
        case jsons
        case optionalJSONs
        case moods
        case optionalMoods
        case moneys
        case optionalMoneys
        case textInt
        case textDouble
        case textDecimal
        case textFlag
        case textFloat
        case seconds
        case milliseconds
        case spaced
        case secondsList
    }

    init(from wire: borrowing WireReader<CodingKeys>) throws {
        id = try wire.int(.id)
        string = try wire.string(.string)
        optionalString = try wire.optionalString(.optionalString)
        flag = try wire.bool(.flag)
        optionalFlag = try wire.optionalBool(.optionalFlag)
        int = try wire.int(.int)
        optionalInt = try wire.optionalInt(.optionalInt)
        int16 = try wire.int16(.int16)
        optionalInt16 = try wire.optionalInt16(.optionalInt16)
        int32 = try wire.int32(.int32)
        optionalInt32 = try wire.optionalInt32(.optionalInt32)
        int64 = try wire.int64(.int64, at: ["nested", "int64"])
        optionalInt64 = try wire.optionalInt64(.optionalInt64)
        float = try wire.float(.float)
        optionalFloat = try wire.optionalFloat(.optionalFloat)
        double = try wire.double(.double)
        optionalDouble = try wire.optionalDouble(.optionalDouble)
        decimal = try wire.decimal(.decimal)
        optionalDecimal = try wire.optionalDecimal(.optionalDecimal)
        date = try wire.date(.date)
        optionalDate = try wire.optionalDate(.optionalDate, at: ["nested", "optionalDate"])
        uuid = try wire.uuid(.uuid)
        optionalUUID = try wire.optionalUUID(.optionalUUID)
        url = try wire.url(.url)
        optionalURL = try wire.optionalURL(.optionalURL)
        data = try wire.data(.data)
        optionalData = try wire.optionalData(.optionalData)
        json = try wire.json(.json)
        optionalJSON = try wire.optionalJSON(.optionalJSON)
        mood = try wire.enumeration(.mood)
        optionalMood = try wire.optionalEnumeration(.optionalMood)
        level = try wire.enumeration(.level)
        optionalLevel = try wire.optionalEnumeration(.optionalLevel)
        money = try wire.custom(.money)
        optionalMoney = try wire.optionalCustom(.optionalMoney)
        strings = try wire.list(.strings)
        optionalStrings = try wire.optionalList(.optionalStrings)
        ints = try wire.list(.ints)
        optionalInts = try wire.optionalList(.optionalInts)
        dates = try wire.list(.dates)
        optionalDates = try wire.optionalList(.optionalDates)
        datas = try wire.list(.datas)
        optionalDatas = try wire.optionalList(.optionalDatas)
        decimals = try wire.list(.decimals)
        optionalDecimals = try wire.optionalList(.optionalDecimals)
        flags = try wire.list(.flags)
        optionalFlags = try wire.optionalList(.optionalFlags)
        doubles = try wire.list(.doubles)
        optionalDoubles = try wire.optionalList(.optionalDoubles)
        uuids = try wire.list(.uuids)
        optionalUUIDs = try wire.optionalList(.optionalUUIDs)
        jsons = try wire.list(.jsons)
        optionalJSONs = try wire.optionalList(.optionalJSONs)
        moods = try wire.list(.moods)
        optionalMoods = try wire.optionalList(.optionalMoods)
        moneys = try wire.list(.moneys)
        optionalMoneys = try wire.optionalList(.optionalMoneys)
        textInt = try wire.int64(.textInt)
        textDouble = try wire.double(.textDouble)
        textDecimal = try wire.decimal(.textDecimal)
        textFlag = try wire.bool(.textFlag)
        textFloat = try wire.float(.textFloat)
        seconds = try wire.date(.seconds, as: .secondsSince1970)
        milliseconds = try wire.date(.milliseconds, as: .millisecondsSince1970)
        spaced = try wire.date(.spaced, as: .pattern("yyyy-MM-dd HH:mm:ss Z"))
        secondsList = try wire.list(.secondsList, as: .millisecondsSince1970)
    }

    func write(to wire: inout WireWriter<CodingKeys>) throws {
        try wire.int(id, .id)
        try wire.string(string, .string)
        try wire.optionalString(optionalString, .optionalString)
        try wire.bool(flag, .flag)
        try wire.optionalBool(optionalFlag, .optionalFlag)
        try wire.int(int, .int)
        try wire.optionalInt(optionalInt, .optionalInt)
        try wire.int16(int16, .int16)
        try wire.optionalInt16(optionalInt16, .optionalInt16)
        try wire.int32(int32, .int32)
        try wire.optionalInt32(optionalInt32, .optionalInt32)
        try wire.int64(int64, .int64, at: ["nested", "int64"])
        try wire.optionalInt64(optionalInt64, .optionalInt64)
        try wire.float(float, .float)
        try wire.optionalFloat(optionalFloat, .optionalFloat)
        try wire.double(double, .double)
        try wire.optionalDouble(optionalDouble, .optionalDouble)
        try wire.decimal(decimal, .decimal)
        try wire.optionalDecimal(optionalDecimal, .optionalDecimal)
        try wire.date(date, .date)
        try wire.optionalDate(optionalDate, .optionalDate, at: ["nested", "optionalDate"])
        try wire.uuid(uuid, .uuid)
        try wire.optionalUUID(optionalUUID, .optionalUUID)
        try wire.url(url, .url)
        try wire.optionalURL(optionalURL, .optionalURL)
        try wire.data(data, .data)
        try wire.optionalData(optionalData, .optionalData)
        try wire.json(json, .json)
        try wire.optionalJSON(optionalJSON, .optionalJSON)
        try wire.enumeration(mood, .mood)
        try wire.optionalEnumeration(optionalMood, .optionalMood)
        try wire.enumeration(level, .level)
        try wire.optionalEnumeration(optionalLevel, .optionalLevel)
        try wire.custom(money, .money)
        try wire.optionalCustom(optionalMoney, .optionalMoney)
        try wire.list(strings, .strings)
        try wire.optionalList(optionalStrings, .optionalStrings)
        try wire.list(ints, .ints)
        try wire.optionalList(optionalInts, .optionalInts)
        try wire.list(dates, .dates)
        try wire.optionalList(optionalDates, .optionalDates)
        try wire.list(datas, .datas)
        try wire.optionalList(optionalDatas, .optionalDatas)
        try wire.list(decimals, .decimals)
        try wire.optionalList(optionalDecimals, .optionalDecimals)
        try wire.list(flags, .flags)
        try wire.optionalList(optionalFlags, .optionalFlags)
        try wire.list(doubles, .doubles)
        try wire.optionalList(optionalDoubles, .optionalDoubles)
        try wire.list(uuids, .uuids)
        try wire.optionalList(optionalUUIDs, .optionalUUIDs)
        try wire.list(jsons, .jsons)
        try wire.optionalList(optionalJSONs, .optionalJSONs)
        try wire.list(moods, .moods)
        try wire.optionalList(optionalMoods, .optionalMoods)
        try wire.list(moneys, .moneys)
        try wire.optionalList(optionalMoneys, .optionalMoneys)
        try wire.int64(textInt, .textInt, asText: true)
        try wire.double(textDouble, .textDouble, asText: true)
        try wire.decimal(textDecimal, .textDecimal, asText: true)
        try wire.bool(textFlag, .textFlag, asText: true)
        try wire.float(textFloat, .textFloat, asText: true)
        try wire.date(seconds, .seconds, as: .secondsSince1970)
        try wire.date(milliseconds, .milliseconds, as: .millisecondsSince1970)
        try wire.date(spaced, .spaced, as: .pattern("yyyy-MM-dd HH:mm:ss Z"))
        try wire.list(secondsList, .secondsList, as: .millisecondsSince1970)
    }

    var wireIdentity: Int? { id }
}

extension SpecimenRepresentation {
    init(
        id: Int,
        string: String,
        optionalString: String?,
        flag: Bool,
        optionalFlag: Bool?,
        int: Int,
        optionalInt: Int?,
        int16: Int16,
        optionalInt16: Int16?,
        int32: Int32,
        optionalInt32: Int32?,
        int64: Int64,
        optionalInt64: Int64?,
        float: Float,
        optionalFloat: Float?,
        double: Double,
        optionalDouble: Double?,
        decimal: Decimal,
        optionalDecimal: Decimal?,
        date: Date,
        optionalDate: Date?,
        uuid: UUID,
        optionalUUID: UUID?,
        url: URL,
        optionalURL: URL?,
        data: Data,
        optionalData: Data?,
        json: JSONValue,
        optionalJSON: JSONValue?,
        mood: Mood,
        optionalMood: Mood?,
        level: Level,
        optionalLevel: Level?,
        money: Money,
        optionalMoney: Money?,
        strings: [String],
        optionalStrings: [String]?,
        ints: [Int],
        optionalInts: [Int]?,
        dates: [Date],
        optionalDates: [Date]?,
        datas: [Data],
        optionalDatas: [Data]?,
        decimals: [Decimal],
        optionalDecimals: [Decimal]?,
        flags: [Bool],
        optionalFlags: [Bool]?,
        doubles: [Double],
        optionalDoubles: [Double]?,
        uuids: [UUID],
        optionalUUIDs: [UUID]?,
        jsons: [JSONValue],
        optionalJSONs: [JSONValue]?,
        moods: [Mood],
        optionalMoods: [Mood]?,
        moneys: [Money],
        optionalMoneys: [Money]?,
        textInt: Int64,
        textDouble: Double,
        textDecimal: Decimal,
        textFlag: Bool,
        textFloat: Float,
        seconds: Date,
        milliseconds: Date,
        spaced: Date,
        secondsList: [Date]
    ) {
        self.id = id
        self.string = string
        self.optionalString = optionalString
        self.flag = flag
        self.optionalFlag = optionalFlag
        self.int = int
        self.optionalInt = optionalInt
        self.int16 = int16
        self.optionalInt16 = optionalInt16
        self.int32 = int32
        self.optionalInt32 = optionalInt32
        self.int64 = int64
        self.optionalInt64 = optionalInt64
        self.float = float
        self.optionalFloat = optionalFloat
        self.double = double
        self.optionalDouble = optionalDouble
        self.decimal = decimal
        self.optionalDecimal = optionalDecimal
        self.date = date
        self.optionalDate = optionalDate
        self.uuid = uuid
        self.optionalUUID = optionalUUID
        self.url = url
        self.optionalURL = optionalURL
        self.data = data
        self.optionalData = optionalData
        self.json = json
        self.optionalJSON = optionalJSON
        self.mood = mood
        self.optionalMood = optionalMood
        self.level = level
        self.optionalLevel = optionalLevel
        self.money = money
        self.optionalMoney = optionalMoney
        self.strings = strings
        self.optionalStrings = optionalStrings
        self.ints = ints
        self.optionalInts = optionalInts
        self.dates = dates
        self.optionalDates = optionalDates
        self.datas = datas
        self.optionalDatas = optionalDatas
        self.decimals = decimals
        self.optionalDecimals = optionalDecimals
        self.flags = flags
        self.optionalFlags = optionalFlags
        self.doubles = doubles
        self.optionalDoubles = optionalDoubles
        self.uuids = uuids
        self.optionalUUIDs = optionalUUIDs
        self.jsons = jsons
        self.optionalJSONs = optionalJSONs
        self.moods = moods
        self.optionalMoods = optionalMoods
        self.moneys = moneys
        self.optionalMoneys = optionalMoneys
        self.textInt = textInt
        self.textDouble = textDouble
        self.textDecimal = textDecimal
        self.textFlag = textFlag
        self.textFloat = textFloat
        self.seconds = seconds
        self.milliseconds = milliseconds
        self.spaced = spaced
        self.secondsList = secondsList
    }
}
