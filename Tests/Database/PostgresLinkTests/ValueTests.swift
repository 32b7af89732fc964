// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import PostgresLink
    import PostgresServer
    import TestSupport
    import Testing

    /// Values in binary format, there and back (DN-2.8).
    @Suite(.needsPostgres, .waitingForProcesses)
    struct ValueTests {
        /// What the server understands, as text.
        static let values: [(PostgresValue, type: String, text: String?)] = [
            (.null, "int8", nil), (.null, "bytea", nil),
            (.bool(true), "bool", "true"), (.bool(false), "bool", "false"),
            (.int4(0), "int4", "0"), (.int4(.min), "int4", "-2147483648"), (.int4(.max), "int4", "2147483647"),
            (.int8(-1), "int8", "-1"), (.int8(.min), "int8", "-9223372036854775808"), (.int8(.max), "int8", "9223372036854775807"),
            (.bytes([]), "bytea", "\\x"), (.bytes([0, 255, 92]), "bytea", "\\x00ff5c"),
            (.text(""), "text", ""), (.text("a'ü\u{1F600}"), "text", "a'ü\u{1F600}"),
            (.int4s([]), "int4[]", "{}"), (.int4s([1, -2]), "int4[]", "{1,-2}"),
            (.int8s([]), "int8[]", "{}"), (.int8s([1, .min]), "int8[]", "{1,-9223372036854775808}"),
            (.optionalInt8s([]), "int8[]", "{}"), (.optionalInt8s([nil]), "int8[]", "{NULL}"),
            (.optionalInt8s([1, nil, 3]), "int8[]", "{1,NULL,3}"), (.optionalInt8s([5]), "int8[]", "{5}"),
            (.byteses([]), "bytea[]", "{}"), (.byteses([[], [1, 2]]), "bytea[]", #"{"\\x","\\x0102"}"#),
            (.optionalByteses([]), "bytea[]", "{}"), (.optionalByteses([nil, [], [7]]), "bytea[]", #"{NULL,"\\x","\\x07"}"#),
            (.bools([]), "bool[]", "{}"), (.bools([true, false]), "bool[]", "{t,f}"),
        ]

        @Test func `the server reads every kind of value`() throws {
            let connection = try Link.connect()
            for (value, type, text) in Self.values {
                let result = try connection.query(PostgresCall("SELECT $1::\(type)::text", value))
                #expect(result.text(0, 0) == text, "\(value)")
                #expect(result.isNull(0, 0) == (text == nil))
            }
        }

        @Test func `values of every kind have the type of their case without a cast`() throws {
            let connection = try Link.connect()
            for (value, type, text) in Self.values where text != nil {
                let result = try connection.query(PostgresCall("SELECT pg_typeof($1)::oid = '\(type)'::regtype, $1", value))
                #expect(result.integer(0, 0) == 1, "\(value) is not of the type \(type)")
            }
        }

        @Test func `integers, booleans and floating-point numbers are read in their size`() throws {
            let result = try Link.connect().query(
                PostgresCall("SELECT (-2)::int2, (-3)::int4, (-4)::int8, true, false, null::int8, 1.5::float8, (-0.25)::float4, null::float8, 32767::int2"))
            #expect((0..<6).map { result.integer(0, $0) } == [-2, -3, -4, 1, 0, 0])
            #expect((6..<9).map { result.double(0, $0) } == [1.5, -0.25, 0])
            #expect(result.integer(0, 9) == 32_767)
            #expect(result.isNull(0, 5) && result.bytes(0, 5) == nil && result.text(0, 5) == nil)
        }

        @Test func `bytes come back as they were sent, large ones too`() throws {
            let connection = try Link.connect()
            for count in [0, 1, 70_000, 3_000_000] {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                let result = try connection.query(PostgresCall("SELECT $1::bytea", .bytes(bytes)))
                withExtendedLifetime(result) { #expect(result.bytes(0, 0).map(Array.init) == bytes) }
            }
        }

        @Test func `arrays of values become rows`() throws {
            let connection = try Link.connect()
            let result = try connection.query(
                PostgresCall("SELECT * FROM unnest($1, $2) AS t(number, bytes)", .optionalInt8s([1, nil, 3]), .optionalByteses([[1], [], nil])))
            #expect(result.count == 3 && result.affected == 3)
            #expect((0..<3).map { result.isNull($0, 0) ? nil : result.integer($0, 0) } == [1, nil, 3])
            #expect((0..<3).map { result.bytes($0, 1).map(Array.init) } == [[1], [], nil])
        }

        @Test func `a result counts the rows that a statement has changed`() throws {
            let connection = try Link.connect()
            try connection.execute("CREATE TEMPORARY TABLE numbers (n int8); INSERT INTO numbers SELECT generate_series(1, 5)")
            let result = try connection.query(PostgresCall("DELETE FROM numbers WHERE n > $1", .int8(2)))
            #expect(result.affected == 3 && result.count == 0 && result.command == "DELETE 3")
        }
    }
#endif
