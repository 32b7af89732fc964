// SPDX-License-Identifier: Apache-2.0
import Testing

/// What the official emulator answers, row by row.
struct VerifiedCase: Sendable, CustomTestStringConvertible {
    let number: Int
    let version: Int
    /// What stands on the third line, inside of `match /databases/{db}/documents`.
    let rules: String
    let request: String
    /// `allow`, `deny` with the last outcome, or `compile error` with the message.
    let answer: String

    init(_ number: Int, _ rules: String, _ request: String, _ answer: String, version: Int = 2) {
        self.number = number
        self.version = version
        self.rules = rules
        self.request = request
        self.answer = answer
    }

    var testDescription: String { "\(number): \(request)" }
}

extension VerifiedCase {
    /// Documents: `Samples.documents`. A get is signed out unless it says otherwise; writes and queries are alice's.
    static let all: [VerifiedCase] = [
        .init(1, #"match /a/{x} { allow get: if resource.data.zz == 1 || true; }"#, #"get a/1"#, #"allow"#),
        .init(2, #"match /a/{x} { allow get: if true || resource.data.zz == 1; }"#, #"get a/1"#, #"allow"#),
        .init(3, #"match /a/{x} { allow get: if resource.data.zz == 1 && false; }"#, #"get a/1"#, #"deny (false)"#),
        .init(4, #"match /a/{x} { allow get: if !(resource.data.zz == 1 && false); }"#, #"get a/1"#, #"allow"#),
        .init(5, #"match /a/{x} { allow get: if !(resource.data.zz == 1); }"#, #"get a/1"#, #"deny (Property zz is undefined on object.)"#),
        .init(6, #"match /a/{x} { allow get: if resource.data.zz == null; }"#, #"get a/1"#, #"deny (Property zz is undefined on object.)"#),
        .init(7, #"match /a/{x} { allow get: if !('zz' in resource.data); }"#, #"get a/1"#, #"allow"#),
        .init(8, #"match /a/{x} { allow get: if !('zz' in resource.data); }"#, #"get a/404"#, #"deny (Null value error.)"#),
        .init(9, #"match /a/{x} { allow get: if resource.data.get('zz', 7) == 7; }"#, #"get a/1"#, #"allow"#),
        .init(10, #"match /a/{x} { allow get: if resource.data.get(['m','k'], 0) == 1; }"#, #"get a/1"#, #"allow"#),
        .init(11, #"match /a/{x} { allow get: if resource.data.get(['n','k'], 5) == 5; }"#, #"get a/1"#, #"allow"#),
        .init(12, #"match /a/{x} { allow get: if resource == null; }"#, #"get a/404"#, #"allow"#),
        .init(13, #"match /a/{x} { allow get: if resource == null; }"#, #"get a/1"#, #"deny (false)"#),
        .init(14, #"match /a/{x} { allow get: if 1 || true; }"#, #"get a/1"#, #"allow"#),
        .init(15, #"match /a/{x} { allow get: if false || 1; }"#, #"get a/1"#, #"deny (Type error. Received: [int] Expected: [bool].)"#),
        .init(16, #"match /a/{x} { allow get: if 1; }"#, #"get a/1"#, #"deny (Type error. Received: [int] Expected: [bool].)"#),
        .init(17, #"match /a/{x} { allow get: if 1 == 1.0; }"#, #"get a/1"#, #"allow"#),
        .init(18, #"match /a/{x} { allow get: if [1] == [1.0]; }"#, #"get a/1"#, #"deny (false)"#),
        .init(19, #"match /a/{x} { allow get: if 1 in [1.0]; }"#, #"get a/1"#, #"deny (false)"#),
        .init(20, #"match /a/{x} { allow get: if {'v': 1}.diff({'v': 1.0}).affectedKeys().size() == 0; }"#, #"get a/1"#, #"allow"#),
        .init(21, #"match /a/{x} { allow get: if -7 / 2 == -3 && -7 % 2 == -1; }"#, #"get a/1"#, #"allow"#),
        .init(22, #"match /a/{x} { allow get: if 1/2 == 0; }"#, #"get a/1"#, #"compile error: L3:31 Missing 'match' keyword before path."#),
        .init(23, #"match /a/{x} { allow get: if 1 / 0 == 0; }"#, #"get a/1"#, #"deny (Divide by zero error.)"#),
        .init(24, #"match /a/{x} { allow get: if 1.0 / 0 > 1; }"#, #"get a/1"#, #"allow"#),
        .init(25, #"match /a/{x} { allow get: if 9223372036854775807 + 1 < 0; }"#, #"get a/1"#, #"deny (9223372036854775807] range.)"#),
        .init(26, #"match /a/{x} { allow get: if 1 != '1'; }"#, #"get a/1"#, #"allow"#),
        .init(27, #"match /a/{x} { allow get: if 1 < 'a'; }"#, #"get a/1"#, #"deny (any < constraint.)"#),
        .init(28, #"match /a/{x} { allow get: if 1 in [1] == true; }"#, #"get a/1"#, #"deny (Function not found error: Name: [in].)"#),
        .init(29, #"match /a/{x} { allow get: if !1 is string; }"#, #"get a/1"#, #"deny (Unsupported operation error. Received: !int. Expected: !bool.)"#),
        .init(30, #"match /a/{x} { allow get: if [1,2,3][0:2] == [1,2]; }"#, #"get a/1"#, #"allow"#),
        .init(31, #"match /a/{x} { allow get: if [1,2,3][0:9].size() == 3; }"#, #"get a/1"#, #"deny (size: [3].)"#),
        .init(32, #"match /a/{x} { allow get: if [1,2,3][-1] == 3; }"#, #"get a/1"#, #"deny (size: [3].)"#),
        .init(33, #"match /a/{x} { allow get: if 'hello'[1:3] == 'el'; }"#, #"get a/1"#, #"allow"#),
        .init(34, #"match /a/{x} { allow get: if 'abc'.matches('b'); }"#, #"get a/1"#, #"deny (false)"#),
        .init(35, #"match /a/{x} { allow get: if 'abc'.matches('.*b.*'); }"#, #"get a/1"#, #"allow"#),
        .init(36, #"match /a/{x} { allow get: if 'a'.matches('(?=a)a'); }"#, #"get a/1"#, #"compile error: L3:42 Invalid regular expression pattern. Pattern: (?=a)a."#),
        .init(37, #"match /a/{x} { allow get: if 'aab'.replace('a+', 'x') == 'xb'; }"#, #"get a/1"#, #"allow"#),
        .init(38, #"match /a/{x} { allow get: if 'ä'.upper() == 'Ä'; }"#, #"get a/1"#, #"deny (false)"#),
        .init(39, #"match /a/{x} { allow get: if [1,2].hasAny([1].toSet()); }"#, #"get a/1"#, #"deny (Unsupported operation error. Received: list.hasAny(set). Expected: lis)"#),
        .init(40, #"match /a/{x} { allow get: if [1,2].toSet().hasAny([1]); }"#, #"get a/1"#, #"allow"#),
        .init(41, #"match /a/{x} { allow get: if {'b':1,'a':1}.keys() == ['a','b']; }"#, #"get a/1"#, #"allow"#),
        .init(42, #"match /a/{x} { allow get: if math.round(-1.5) == -1; }"#, #"get a/1"#, #"allow"#),
        .init(43, #"match /a/{x} { allow get: if hashing.crc32('123456789').toHexString() == '2639F4CB'; }"#, #"get a/1"#, #"allow"#),
        .init(44, #"match /a/{x} { allow get: if timestamp.date(2024,3,3).dayOfWeek() == 7; }"#, #"get a/1"#, #"allow"#),
        .init(45, #"match /a/{x} { allow get: if request.path == /databases/$(db)/documents/a/$(x); }"#, #"get a/1"#, #"allow"#),
        .init(46, #"match /a/{x} { allow get: if get(/databases/$(db)/documents/users/nope) == null; }"#, #"get a/1"#, #"deny (Service call error)"#),
        .init(47, #"match /a/{x} { allow get: if get(/databases/$(db)/documents/users/$(request.auth.uid)).data.role == 'admin'; }"#, #"get a/1 as alice"#, #"allow"#),
        .init(48, #"match /a/{x} { allow get: if get(/databases/$(db)/documents/users/$(request.auth.uid)).data.role == 'admin'; }"#, #"get a/1 as bob"#, #"deny (Service call error)"#),
        .init(49, #"match /a/{x} { allow get: if get(/databases/$(db)/documents/users/$(request.auth.uid)).data.role == 'admin'; }"#, #"get a/1"#, #"deny (Null value error.)"#),
        .init(50, #"match /a/{x} { allow get: if exists(/databases/$(db)/documents/users/$(request.auth.uid)); }"#, #"get a/1 as bob"#, #"deny (false)"#),
        .init(51, #"match /a/{x} { allow get: if request.auth.token.email_verified; }"#, #"get a/1 as u {email_verified:true}"#, #"allow"#),
        .init(52, #"match /a/{x} { allow get: if request.auth.token.email_verified; }"#, #"get a/1 as alice"#, #"deny (Property email_verified is undefined on object.)"#),
        .init(53, #"match /a/{x} { allow get: if request.auth.token.get('role', '') == 'ed'; }"#, #"get a/1 as u {role:'ed'}"#, #"allow"#),
        .init(54, #"match /a/{x} { allow get: if request.auth.token.get('role', '') == 'ed'; }"#, #"get a/1 as alice"#, #"deny (false)"#),
        .init(55, #"match /a/{x} { allow read; }"#, #"get a/1/b/9"#, #"deny (No matching allow statements)"#),
        .init(56, #"match /a/{x}/{r=**} { allow read; }"#, #"get a/1"#, #"allow"#),
        .init(57, #"match /a/{x}/{r=**} { allow read; }"#, #"get a/1/b/9"#, #"allow"#),
        .init(58, #"match /a/{x}/{r=**} { allow read; }"#, #"get a/1"#, #"deny (No matching allow statements)"#, version: 1),
        .init(59, #"match /a/{x}/{r=**} { allow read; }"#, #"get a/1/b/9"#, #"allow"#, version: 1),
        .init(60, #"match /{p=**}/b/{x} { allow read; }"#, #"get a/1/b/9"#, #"allow"#),
        .init(61, #"match /{p=**}/b/{x} { allow read; }"#, #"group query b"#, #"allow, rows: 1"#),
        .init(
            62, #"match /{p=**}/b/{x} { allow read; }"#,
            #"get a/1/b/9"#, #"compile error: L3:7 Invalid glob match expression. Glob matches are permitted as the last segment in a match declaration path"#, version: 1),
        .init(63, #"match /a/{x} { allow get: if false; allow get: if resource.data.zz; allow get; }"#, #"get a/1"#, #"allow"#),
        .init(64, #"match /a/{x} { allow get: if false; } match /{p=**} { allow get; }"#, #"get a/1"#, #"allow"#),
        .init(65, #"function f(v) { return true; } match /a/{x} { allow get: if f(1 / 0); }"#, #"get a/1"#, #"allow"#),
        .init(66, #"function f() { let v = resource.data.zz; return true; } match /a/{x} { allow get: if f(); }"#, #"get a/1"#, #"allow"#),
        .init(67, #"function f() { return x == '1'; } match /a/{x} { allow get: if f(); }"#, #"get a/1"#, #"deny (Null value error.)"#),
        .init(68, #"function f() { return f(); } match /a/{x} { allow get: if f(); }"#, #"get a/1"#, #"compile error: L3:10 Recursive call is not allowed."#),
        .init(69, #"match /a/{x} { allow create: if request.resource.data.keys().hasOnly(['n']) && request.resource.data.n is int; }"#, #"create a/9 {n:1}"#, #"allow"#),
        .init(70, #"match /a/{x} { allow create: if request.resource.data.keys().hasOnly(['n']) && request.resource.data.n is int; }"#, #"create a/9 {n:1.5}"#, #"deny (false)"#),
        .init(71, #"match /a/{x} { allow create: if request.resource.data.keys().hasOnly(['n']) && request.resource.data.n is int; }"#, #"create a/9 {n:1,q:2}"#, #"deny (false)"#),
        .init(72, #"match /a/{x} { allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n']); }"#, #"update a/1 {n:5}"#, #"allow"#),
        .init(73, #"match /a/{x} { allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n']); }"#, #"update a/1 {s:'y'}"#, #"deny (false)"#),
        .init(74, #"match /a/{x} { allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n']); }"#, #"update a/1 {n:1}"#, #"allow"#),
        .init(75, #"match /a/{x} { allow update: if request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n']); }"#, #"set a/1 {n:5}"#, #"deny (false)"#),
        .init(76, #"match /a/{x} { allow create: if true; }"#, #"create a/9 {n:1}"#, #"allow"#),
        .init(77, #"match /a/{x} { allow create: if true; }"#, #"set a/9 {n:1}"#, #"allow"#),
        .init(78, #"match /a/{x} { allow create: if true; }"#, #"set a/1 {n:1}"#, #"deny (false)"#),
        .init(79, #"match /a/{x} { allow create: if true; }"#, #"update a/404 {n:1}"#, #"deny (No matching allow statements)"#),
        .init(80, #"match /a/{x} { allow create: if true; }"#, #"batch set a/9, delete a/9"#, #"deny (No matching allow statements)"#),
        .init(81, #"match /a/{x} { allow delete: if request.resource == null; }"#, #"delete a/1"#, #"allow"#),
        .init(82, #"match /a/{x} { allow delete: if request.resource == null; }"#, #"delete a/404"#, #"allow"#),
        .init(83, #"match /a/{x} { allow write: if request.resource.data.n == 1; }"#, #"delete a/1"#, #"deny (Null value error.)"#),
        .init(84, #"match /a/{x} { allow write: if getAfter(/databases/$(db)/documents/c/$(x)).data.n == request.resource.data.n; } match /c/{x} { allow write; }"#, #"set a/9 {n:1}"#, #"deny (Service call error)"#),
        .init(85, #"match /a/{x} { allow write: if getAfter(/databases/$(db)/documents/c/$(x)).data.n == request.resource.data.n; } match /c/{x} { allow write; }"#, #"batch set a/9 {n:1}, set c/9 {n:1}"#, #"allow"#),
        .init(
            86, #"match /a/{x} { allow write: if getAfter(/databases/$(db)/documents/c/$(x)).data.n == request.resource.data.n; } match /c/{x} { allow write; }"#,
            #"batch set a/9 {n:1}, set c/9 {n:2}"#, #"deny (false)"#),
        .init(87, #"match /a/{x} { allow write: if request.resource.data.n == 1; }"#, #"batch set a/9 {n:2}, set a/9 {n:1}"#, #"allow"#),
        .init(88, #"match /a/{x} { allow write: if request.resource.data.n == 1; }"#, #"batch set a/9 {n:1}, set a/9 {n:2}"#, #"deny (false)"#),
        .init(89, #"match /a/{x} { allow create: if request.resource.data.t == request.time; }"#, #"create a/9 with t = server time"#, #"allow"#),
        .init(90, #"match /a/{x} { allow update: if request.resource.data.n == resource.data.n + 1; }"#, #"increment a/1 n by 1"#, #"allow"#),
        .init(91, #"match /a/{x} { allow update: if request.resource.data.n == resource.data.n + 1; }"#, #"increment a/1 n by 2"#, #"deny (false)"#),
        .init(92, #"match /a/{x} { allow list: if resource.data.pub == true; }"#, #"query a"#, #"deny (Property pub is undefined on object.)"#),
        .init(93, #"match /a/{x} { allow list: if resource.data.pub == true; }"#, #"query a where pub == true"#, #"allow, rows: 1"#),
        .init(94, #"match /a/{x} { allow list: if resource.data.pub == true; }"#, #"query a where pub != false"#, #"deny (evaluation error at L3:31)"#),
        .init(95, #"match /a/{x} { allow list: if resource.data.pub == true; }"#, #"query a where pub in [true]"#, #"allow, rows: 1"#),
        .init(96, #"match /a/{x} { allow list: if resource.data.pub == true; }"#, #"query a where pub == true and n > 0"#, #"allow, rows: 1"#),
        .init(97, #"match /a/{x} { allow list: if resource.data.owner == request.auth.uid; }"#, #"query a where owner == 'alice'"#, #"allow, rows: 1"#),
        .init(98, #"match /a/{x} { allow list: if resource.data.owner == request.auth.uid; }"#, #"query a where owner == 'bob'"#, #"deny (false)"#),
        .init(99, #"match /a/{x} { allow list: if resource.data.n > 1; }"#, #"query a where n > 1"#, #"allow, rows: 1"#),
        .init(100, #"match /a/{x} { allow list: if resource.data.n > 1; }"#, #"query a where n > 2"#, #"allow, rows: 0"#),
        .init(101, #"match /a/{x} { allow list: if resource.data.n > 1; }"#, #"query a where n >= 2"#, #"allow, rows: 1"#),
        .init(102, #"match /a/{x} { allow list: if resource.data.n > 1; }"#, #"query a where n > 0"#, #"deny (evaluation error at L3:31)"#),
        .init(103, #"match /a/{x} { allow list: if resource.data.n > 1; }"#, #"query a where n > 1.5"#, #"deny (evaluation error at L3:31)"#),
        .init(104, #"match /a/{x} { allow list: if !(resource.data.n < 2); }"#, #"query a where n >= 2"#, #"deny (evaluation error at L3:31)"#),
        .init(105, #"match /a/{x} { allow list: if 1 in resource.data.l; }"#, #"query a where l contains 1"#, #"allow, rows: 1"#),
        .init(106, #"match /a/{x} { allow list: if 1 in resource.data.l; }"#, #"query a where l contains 2"#, #"deny (evaluation error at L3:31)"#),
        .init(107, #"match /a/{x} { allow list: if resource.data.s is string; }"#, #"query a where s == 'x'"#, #"allow, rows: 1"#),
        .init(108, #"match /a/{x} { allow list: if resource.data.s is string; }"#, #"query a where s >= 'a'"#, #"deny (false)"#),
        .init(109, #"match /a/{x} { allow list: if request.query.limit <= 10; }"#, #"query a limit 10"#, #"allow, rows: 2"#),
        .init(110, #"match /a/{x} { allow list: if request.query.limit <= 10; }"#, #"query a limit 11"#, #"deny (false)"#),
        .init(111, #"match /a/{x} { allow list: if request.query.limit <= 10; }"#, #"query a"#, #"deny (any <= constraint.)"#),
        .init(112, #"match /a/{x} { allow list: if x == '1'; }"#, #"query a"#, #"deny (Null value error.)"#),
        .init(113, #"match /a/{x} { allow list: if !('secret' in resource.data); }"#, #"query a"#, #"allow, rows: 2"#),
        .init(114, #"match /a/{x} { allow list: if resource.data.get('pub', true); }"#, #"query a"#, #"allow, rows: 2"#),
        .init(115, #"match /a/{x}/b/{y} { allow list: if x == "1"; }"#, #"query a/1/b"#, #"allow, rows: 1"#),
        .init(116, #"match /a/{x}/b/{y} { allow list: if x == "1"; }"#, #"query a/2/b"#, #"deny (false)"#),
        .init(117, #"match /a/{x}/b/{y} { allow read; }"#, #"group query b"#, #"deny (No matching allow statements)"#),
        .init(
            118, #"match /a/{x} { allow get: if exists(/databases/$(db)/documents/u/0) == false && exists(/databases/$(db)/documents/u/1) == false && exists(/databases/$(db)/documents/u/2) == false; }"#,
            #"get a/1"#, #"allow"#),
    ]
}
