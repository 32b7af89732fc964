// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// Methods, by the type that they are called on.
extension Evaluation {
    mutating func callMethod(
        _ method: MethodName, _ receiver: Int32, _ operands: Operands, at node: NodeID
    ) throws(Interruption) -> RulesValue {
        let base = try value(Int(receiver))
        var arguments: [RulesValue] = []
        for index in operands.range { arguments.append(try value(Int(program.operands[index]))) }
        let call = MethodCall(method: method, base: base, arguments: arguments, node: node, program: program, operands: operands)
        let result: RulesValue?
        switch base {
        case .string(let text): result = try stringMethod(call, text)
        case .list(let list): result = try listMethod(call, list)
        case .map(let map): result = try mapMethod(call, map)
        case .set(let set): result = try setMethod(call, set)
        case .constraint(let constraint) where constraint.equalNumber == nil:
            guard method == .hasAny, case .list(let list)? = arguments.first else { throw .failure(.functionNotFound(method.rawValue)) }
            result = .bool(try constraint.hasAny(list.elements, takesSpelling: assumes(node)))
        default: result = try rareMethod(call)
        }
        guard let result else { throw call.mismatch }
        return result
    }

    /// The methods of the types that have few.
    private func rareMethod(_ call: MethodCall) throws(Interruption) -> RulesValue? {
        switch call.base {
        case .bytes(let bytes):
            switch call.method {
            case .size: return .int(Int64(bytes.count))
            case .toBase64: return .string(Self.base64(bytes))
            case .toHexString: return .string(ValueText.hexadecimal(bytes.array))
            default: return nil
            }
        case .mapDiff(let diff):
            let names: [String]
            switch call.method {
            case .addedKeys: names = diff.added
            case .removedKeys: names = diff.removed
            case .changedKeys: names = diff.changed
            case .unchangedKeys: names = diff.unchanged
            case .affectedKeys: names = diff.added + diff.removed + diff.changed
            default: return nil
            }
            return .set(SetValue(names.map { .string($0) }))
        case .timestamp(let time): return Self.timestampMethod(call.method, time)
        case .duration(let duration):
            switch call.method {
            case .seconds: return .int(duration.seconds)
            case .nanos: return .int(Int64(duration.nanoseconds))
            default: return nil
            }
        case .latlng(let point):
            switch (call.method, call.arguments.first) {
            case (.latitude, nil): return .float(point.latitude)
            case (.longitude, nil): return .float(point.longitude)
            case (.distance, .latlng(let other)?): return .float(Sphere.distance(point, other))
            default: return nil
            }
        case .path(let path):
            guard call.method == .bind, case .map(let map)? = call.arguments.first else { return nil }
            return .path(try path.binding(map))
        case .null: throw .failure(.nullValue)
        default: return nil
        }
    }

    /// The alphabet for URLs, with padding.
    private static func base64(_ bytes: ByteSlice) -> String {
        let text = Base64.encodeForURL(bytes.array)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    private static func timestampMethod(_ method: MethodName, _ time: TimestampValue) -> RulesValue? {
        let days = Calendar.days(time)
        let seconds = Calendar.secondsOfDay(time)
        switch method {
        case .year: return .int(CivilDate(days: days).year)
        case .month: return .int(CivilDate(days: days).month)
        case .day: return .int(CivilDate(days: days).day)
        case .hours: return .int(seconds / 3_600)
        case .minutes: return .int(seconds / 60 % 60)
        case .seconds: return .int(seconds % 60)
        case .nanos: return .int(Int64(time.nanoseconds))
        case .dayOfYear: return .int(CivilDate.dayOfYear(days))
        case .dayOfWeek: return .int(CivilDate.dayOfWeek(days))
        case .date: return .timestamp(TimestampValue(seconds: days * Calendar.secondsPerDay, nanoseconds: 0))
        case .time: return DurationValue(seconds: seconds, nanoseconds: Int64(time.nanoseconds)).map { .duration($0) }
        case .toMillis: return .int(time.seconds * 1_000 + Int64(time.nanoseconds) / 1_000_000)
        default: return nil
        }
    }

    // MARK: Strings

    private mutating func stringMethod(_ call: MethodCall, _ text: String) throws(Interruption) -> RulesValue? {
        switch (call.method, call.arguments.first) {
        case (.size, nil): return .int(Int64(text.utf16.count))
        case (.lower, nil): return .string(ValueText.lowercased(text))
        case (.upper, nil): return .string(ValueText.uppercased(text))
        case (.trim, nil): return .string(ValueText.trim(text))
        case (.toUtf8, nil): return .bytes(ByteSlice(Array(text.utf8)))
        case (.matches, .string(let pattern)?):
            return .bool(try call.pattern(pattern).matchesWhole(text, &patternBudget))
        case (.replace, .string(let pattern)?):
            guard case .string(let template) = call.arguments[1] else { return nil }
            let result = try call.pattern(pattern).replacing(in: text, with: template, &patternBudget)
            guard result.utf8.count <= RulesLimits.stringLength else { throw Self.tooLong }
            return .string(result)
        case (.split, .string(let pattern)?):
            return .list(.elements(try call.pattern(pattern).splitting(text, &patternBudget).map { .string($0) }))
        default: return nil
        }
    }

    // MARK: Lists and sets

    private func listMethod(_ call: MethodCall, _ list: ListValue) throws(Interruption) -> RulesValue? {
        guard let argument = call.arguments.first else {
            switch call.method {
            case .size, .toSet:
                if list.isOpen { throw .failure(.notProven) }
                return call.method == .size ? .int(Int64(list.count)) : .set(try set(list.elements))
            default: return nil
            }
        }
        switch (call.method, argument) {
        case (.join, .string(let separator)):
            if list.isOpen { throw .failure(.notProven) }
            return .string(try join(list.elements, separator))
        case (.concat, .list(let other)):
            if list.isOpen || other.isOpen { throw .failure(.notProven) }
            let (left, right) = (list.elements, other.elements)
            guard left.count + right.count <= RulesLimits.listLength else { throw Self.tooLong }
            return .list(.elements(left + right))
        case (.removeAll, .list(let other)):
            if list.isOpen || other.isOpen { throw .failure(.notProven) }
            let lookup = ElementLookup(other.elements, equality(.element, at: call.node))
            var kept: [RulesValue] = []
            for element in list.elements where !(try decided(lookup.contains(element))) { kept.append(element) }
            return .list(.elements(kept))
        case (.hasAny, .list(let other)):
            return .bool(try hasAny(list, other, ElementLookup(list.elements, equality(.element, at: call.node))))
        case (.hasAll, .list(let other)):
            return .bool(try hasAll(list, other, ElementLookup(list.elements, equality(.element, at: call.node))))
        case (.hasOnly, .list(let other)):
            return .bool(try hasAll(other, list, ElementLookup(other.elements, equality(.element, at: call.node))))
        default: return nil
        }
    }

    private func setMethod(_ call: MethodCall, _ set: SetValue) throws(Interruption) -> RulesValue? {
        switch (call.method, call.arguments.first) {
        case (.size, nil): return .int(Int64(set.elements.count))
        case (.union, .set(let other)?): return .set(SetValue(set.elements + other.elements))
        case (.intersection, .set(let other)?): return .set(SetValue(set.elements.filter(other.contains)))
        case (.difference, .set(let other)?): return .set(SetValue(set.elements.filter { !other.contains($0) }))
        case (.hasAny, let argument?), (.hasAll, let argument?), (.hasOnly, let argument?):
            let other: ListValue
            switch argument {
            case .list(let list): other = list
            case .set(let set): other = .elements(set.elements)
            default: return nil
            }
            let list = ListValue.elements(set.elements)
            let equality = self.equality(.numeric, at: call.node)
            switch call.method {
            case .hasAny: return .bool(try hasAny(list, other, ElementLookup(list.elements, equality)))
            case .hasAll: return .bool(try hasAll(list, other, ElementLookup(list.elements, equality)))
            default: return .bool(try hasAll(other, list, ElementLookup(other.elements, equality)))
            }
        default: return nil
        }
    }

    private func decided(_ answer: Bool?) throws(Interruption) -> Bool {
        guard let answer else { throw .failure(.notProven) }
        return answer
    }

    private func hasAny(_ list: ListValue, _ others: ListValue, _ lookup: ElementLookup) throws(Interruption) -> Bool {
        var isKnown = !list.isOpen && !others.isOpen
        for element in others.elements {
            switch lookup.contains(element) {
            case true?: return true
            case false?: continue
            case nil: isKnown = false
            }
        }
        guard isKnown else { throw .failure(.notProven) }
        return false
    }

    private func hasAll(_ list: ListValue, _ others: ListValue, _ lookup: ElementLookup) throws(Interruption) -> Bool {
        var isKnown = !others.isOpen
        for element in others.elements {
            switch lookup.contains(element) {
            case true?: continue
            case false?:
                if !list.isOpen { return false }
                isKnown = false
            case nil: isKnown = false
            }
        }
        guard isKnown else { throw .failure(.notProven) }
        return true
    }

    private func set(_ elements: [RulesValue]) throws(Interruption) -> SetValue {
        if elements.contains(where: \.isUndetermined) { throw .failure(.notProven) }
        return SetValue(elements)
    }

    private func join(_ elements: [RulesValue], _ separator: String) throws(Interruption) -> String {
        var result = ""
        for (index, element) in elements.enumerated() {
            if index > 0 { result += separator }
            result += try text(of: element)
            guard result.utf8.count <= RulesLimits.stringLength else { throw Self.tooLong }
        }
        return result
    }

    // MARK: Maps

    private func mapMethod(_ call: MethodCall, _ map: MapValue) throws(Interruption) -> RulesValue? {
        let isOpen = map.isOpen && !assumes(call.node)
        switch (call.method, call.arguments.first) {
        case (.keys, nil):
            let names: [RulesValue] = map.entries.map { .string($0.name) }
            return .list(isOpen ? .open(names) : .elements(names))
        case (.values, nil):
            if isOpen { throw .failure(.notProven) }
            return .list(.elements(map.entries.map(\.value)))
        case (.size, nil):
            if isOpen { throw .failure(.notProven) }
            return .int(Int64(map.count))
        case (.get, .string(let name)?): return try get(call, map, [.string(name)])
        case (.get, .list(let path)?): return try get(call, map, path.elements)
        case (.diff, .map(let other)?):
            if isOpen || other.isOpen && !assumes(call.node) { throw .failure(.notProven) }
            return .mapDiff(try diff(map, other, equality(.numeric, at: call.node)))
        default: return nil
        }
    }

    private func get(_ call: MethodCall, _ map: MapValue, _ path: [RulesValue]) throws(Interruption) -> RulesValue? {
        var value = RulesValue.map(map)
        for step in path {
            guard case .string(let name) = step else { throw .failure(.type(received: step.type, expected: "string")) }
            switch value {
            case .map(let map):
                if let next = map[name] {
                    value = next
                    continue
                }
                if map.isOpen, !assumes(call.node) { throw .failure(.notProven) }
            case .constraint(let constraint) where constraint.equalNumber == nil && !assumes(call.node): throw .failure(.notProven)
            default: break
            }
            return call.arguments[1]
        }
        return value
    }

    /// The differences of `map` from `other`. Both are sorted by name.
    private func diff(_ map: MapValue, _ other: MapValue, _ equality: ValueEquality) throws(Interruption) -> MapDiffValue {
        var added: [String] = []
        var removed: [String] = []
        var changed: [String] = []
        var unchanged: [String] = []
        let (news, olds) = (map.entries, other.entries)
        var (new, old) = (0, 0)
        while new < news.count || old < olds.count {
            let order =
                new == news.count ? 1 : old == olds.count ? -1 : compareUTF8(news[new].name, olds[old].name)
            if order < 0 {
                added.append(news[new].name)
                new += 1
            } else if order > 0 {
                removed.append(olds[old].name)
                old += 1
            } else {
                if try decided(equality.equal(news[new].value, olds[old].value)) {
                    unchanged.append(news[new].name)
                } else {
                    changed.append(news[new].name)
                }
                new += 1
                old += 1
            }
        }
        return MapDiffValue(added: added, removed: removed, changed: changed, unchanged: unchanged)
    }
}
