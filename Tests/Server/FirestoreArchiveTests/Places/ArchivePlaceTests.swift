// SPDX-License-Identifier: Apache-2.0
@testable import FirestoreArchive
import FirestoreCore
import TestSupport
import Testing

struct ArchivePlaceTests {
    @Test func `folders are URLs or paths`() throws {
        for text in ["/backup", "/backup/", "file:///backup", "file:///backup//", "FILE:///backup"] {
            #expect(try ArchivePlace(text) == .directory("/backup"), "\(text)")
        }
        #expect(try ArchivePlace("backup/one", currentDirectory: "/srv") == .directory("/srv/backup/one"))
        #expect(try ArchivePlace("file:///a%20b%2525") == .directory("/a b%25"))
        #expect(try ArchivePlace("/a%20b") == .directory("/a%20b"))
        #expect(try ArchivePlace("/") == .directory("/"))
    }

    @Test func `buckets are URLs with an optional prefix`() throws {
        #expect(try ArchivePlace("s3://box") == .bucket(S3Bucket("box")))
        #expect(try ArchivePlace("s3://box/") == .bucket(S3Bucket("box")))
        #expect(try ArchivePlace("S3://my.box/servers/one/") == .bucket(S3Bucket("my.box", prefix: "servers/one")))
        #expect(try ArchivePlace("s3://box/servers/one").description == "s3://box/servers/one/")
        #expect(try ArchivePlace("/backup").description == "/backup")
    }

    @Test(arguments: [
        ("", "is empty"), ("https://s3.example.com/box", "as the endpoint"), ("gs://box", "Google Cloud Storage"), ("ftp://a/b", "is not known"),
        ("file://backup", "three slashes"), ("file:/backup", "two slashes"), ("file:///a%zz", "escaped"), ("file:///a?b", "escaped"),
        ("s3:box", "two slashes"), ("s3://", "not the name of a bucket"), ("s3://a", "not the name of a bucket"), ("s3://b_x!/a", "not the name of a bucket"),
        ("s3://box/a?b", "a query"), ("s3://box/../a", "cannot be the prefix"), ("s3://box//a", "cannot be the prefix"), ("/a\u{0}b", "zero byte"),
    ])
    func `everything else is refused with a hint`(text: String, words: String) {
        expectImmediateError(.invalidArgument, mentioning: words) { try ArchivePlace(text) }
    }

    @Test func `secrets in a URL are refused and not repeated`() {
        for text in ["s3://key:hidden@box/a", "https://key:hidden@s3.example.com"] {
            do throws(FirestoreError) {
                _ = try ArchivePlace(text)
                Issue.record("\(text) is accepted")
            } catch {
                #expect(!error.message.contains("hidden"))
            }
        }
        do throws(FirestoreError) {
            _ = try S3Endpoint("https://key:hidden@s3.example.com", bucket: "box")
            Issue.record("an endpoint with a password is accepted")
        } catch {
            #expect(!error.message.contains("hidden"))
        }
    }

    // MARK: Endpoints

    @Test func `a bucket of AWS is a host, unless a certificate would not cover it`() {
        let usual = S3Endpoint(bucket: "box", region: "eu-central-1")
        #expect(usual.host == "box.s3.eu-central-1.amazonaws.com" && usual.port == 443 && usual.usesTLS && usual.bucketPath == "")
        let dotted = S3Endpoint(bucket: "my.box", region: "eu-central-1")
        #expect(dotted.host == "s3.eu-central-1.amazonaws.com" && dotted.bucketPath == "/my.box")
        #expect(S3Endpoint(bucket: "box", region: "cn-north-1").host == "box.s3.cn-north-1.amazonaws.com.cn")
    }

    @Test func `a bucket of another server is a path`() throws {
        let endpoint = try S3Endpoint("http://[::1]:9000/", bucket: "box")
        #expect(endpoint.host == "::1" && endpoint.port == 9_000 && !endpoint.usesTLS && endpoint.bucketPath == "/box" && endpoint.name == "http://[::1]:9000")
        #expect(try S3Endpoint("https://s3.example.com", bucket: "box").port == 443)
        for text in ["", "s3.example.com", "ftp://s3.example.com", "https://s3.example.com/box", "https://s3.example.com?a", "https://:9000", "https://a:0"] {
            expectImmediateError(.invalidArgument, mentioning: "is not an endpoint") { try S3Endpoint(text, bucket: "box") }
        }
    }

    // MARK: Opening

    private static let keys = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]

    @Test func `a place opens with its settings`() throws {
        let folder = try ScratchFolder()
        #expect(try ArchivePlace(folder.path).open(ArchiveSettings(environment: [:])).description == folder.path)
        #expect(try ArchivePlace("s3://box/p").open(ArchiveSettings(environment: Self.keys)).description == "s3://box/p/")
        var settings = ArchiveSettings(environment: Self.keys)
        settings.region = "../x"
        expectImmediateError(.invalidArgument, mentioning: "is not a region") { try ArchivePlace("s3://box/p").open(settings) }
        expectImmediateError(.failedPrecondition, mentioning: "AWS_ACCESS_KEY_ID") {
            try ArchivePlace("s3://box/p").open(ArchiveSettings(environment: [:]))
        }
        settings.region = "eu-test-1"
        expectImmediateError(.invalidArgument, mentioning: "for an archive in a bucket") { try ArchivePlace(folder.path).open(settings) }
        settings.keyFile = folder.file("absent")
        expectImmediateError(.failedPrecondition, mentioning: "key file") { try ArchivePlace("s3://box/p").open(settings) }
    }

    @Test func `only http to another machine without encryption can be read on the way`() throws {
        let place = try ArchivePlace("s3://box/p")
        var settings = ArchiveSettings(environment: Self.keys)
        func isReadable(_ endpoint: String?) -> Bool {
            settings.endpoint = endpoint
            return place.isReadableInTransit(settings)
        }
        #expect(isReadable("http://10.0.0.1:9000"))
        #expect(!isReadable(nil) && !isReadable("https://10.0.0.1:9000") && !isReadable("http://127.0.0.1:9000") && !isReadable("http://localhost"))
        settings.keyFile = "/key"
        #expect(!isReadable("http://10.0.0.1:9000"))
    }
}
