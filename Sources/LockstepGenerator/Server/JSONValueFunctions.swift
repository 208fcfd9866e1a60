/// The functions that make values of columns from JSON. PostgreSQL would also make a text of an object, and a time of
/// `tomorrow`.
struct JSONValueFunctions {
    var functions: [ServerFunction] {
        [
            function(
                signature: "lockstep_text(jsonb)", result: "text",
                comment: "-- A single value as text; an object or an array is none.",
                body: """
                    BEGIN
                        IF jsonb_typeof($1) IN ('object', 'array') THEN
                            RAISE invalid_parameter_value USING MESSAGE = 'a value must not be an object or an array';
                        END IF;
                        RETURN $1 #>> '{}';
                    END
                    """),
            function(
                signature: "lockstep_array(jsonb)", result: "jsonb", comment: "-- A list of values.",
                body: """
                    BEGIN
                        IF jsonb_typeof($1) NOT IN ('array', 'null') THEN
                            RAISE invalid_parameter_value USING MESSAGE = 'a list must be an array';
                        END IF;
                        RETURN nullif($1, 'null');
                    END
                    """),
            function(
                signature: "lockstep_timestamp(jsonb, double precision)", result: "timestamptz",
                comment: "-- A time as a number, with the number of these in a second.",
                body: """
                    BEGIN
                        IF jsonb_typeof($1) NOT IN ('number', 'null') THEN
                            RAISE invalid_datetime_format USING MESSAGE = 'this time must be a number';
                        END IF;
                        RETURN to_timestamp(($1 #>> '{}')::double precision / $2);
                    END
                    """),
            function(
                signature: "lockstep_timestamp(jsonb)", result: "timestamptz",
                comment: """
                    -- A time. PostgreSQL also reads words such as 'tomorrow', which no device means. Without a zone, it
                    -- is in that of lockstep_push.
                    """,
                body: """
                    DECLARE
                        moment constant text := lockstep_text($1);
                    BEGIN
                        IF moment !~ '^\\d{4}-\\d\\d-\\d\\d[T ][0-9:.]+([Zz]|[+-][0-9:]+)?$' THEN
                            RAISE invalid_datetime_format USING MESSAGE = 'this is not a time of ISO 8601';
                        END IF;
                        RETURN moment::timestamptz;
                    END
                    """),
            function(
                signature: "lockstep_day(jsonb)", result: "date",
                comment: "-- A day. PostgreSQL also reads words such as 'today', and drops the time of a moment.",
                body: """
                    DECLARE
                        day constant text := lockstep_text($1);
                    BEGIN
                        IF day !~ '^\\d{4}-\\d\\d-\\d\\d$' THEN
                            RAISE invalid_datetime_format USING MESSAGE = 'this is not a day of ISO 8601';
                        END IF;
                        RETURN day::date;
                    END
                    """),
        ]
    }

    /// A function that is called for each value, by functions with a search path.
    private func function(signature: Code, result: Code, comment: Code, body: Code) -> ServerFunction {
        ServerFunction(
            signature: signature, result: result, comment: comment, language: .plpgsql, isDefiner: false,
            isStable: true, hasSearchPath: false, body: body)
    }
}
