// SPDX-License-Identifier: Apache-2.0
package import FirestoreRPC
package import Foundation

/// Self-signed certificates, for tests only: do not trust them elsewhere. Valid until 2126, made by
/// `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -addext subjectAltName=DNS:…`.
package struct TestCertificate: Sendable {
    package let certificate: String
    package let key: String

    package static let localhost = TestCertificate(
        certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBrjCCAVOgAwIBAgIUCLz1gw2zqTenlcSwfI2GEyCDvFYwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVbG9jYWxob3N0ICh0ZXN0IG9ubHkpMCAXDTI2MTEyMTE0MTUz
        NVoYDzIxMjYxMDI4MTQxNTM1WjAgMR4wHAYDVQQDDBVsb2NhbGhvc3QgKHRlc3Qg
        b25seSkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARKwj9xzpF4dnGmBksar3rc
        3LW3DmyzVTbPW5t9Ln750uMOszYzwjYrk/K2OhggMXMaFUWwXFHB2XAPFg9QaGsJ
        o2kwZzAdBgNVHQ4EFgQUfbAVKi/97fZkEH/CCpMguy2TbTYwHwYDVR0jBBgwFoAU
        fbAVKi/97fZkEH/CCpMguy2TbTYwDwYDVR0TAQH/BAUwAwEB/zAUBgNVHREEDTAL
        gglsb2NhbGhvc3QwCgYIKoZIzj0EAwIDSQAwRgIhAKqVr5Pb3XKDNHjk5k8vfF9C
        nLRNS0g9lkVa/KaZ2QyxAiEAxG1QY/AS3J1Rx5nDN6Z/48xOMfYqqkv11BLmK27C
        SKU=
        -----END CERTIFICATE-----
        """,
        key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgT7Kctd7t4Dj6aubo
        7O1nIJ6x5q54BvMSSI9SuEhx8D+hRANCAARKwj9xzpF4dnGmBksar3rc3LW3Dmyz
        VTbPW5t9Ln750uMOszYzwjYrk/K2OhggMXMaFUWwXFHB2XAPFg9QaGsJ
        -----END PRIVATE KEY-----
        """)

    package static let elsewhere = TestCertificate(
        certificate: """
        -----BEGIN CERTIFICATE-----
        MIIBxjCCAWugAwIBAgIUfvADpylEX0ePM+tjiuncMrd2ihUwCgYIKoZIzj0EAwIw
        KDEmMCQGA1UEAwwdZWxzZXdoZXJlLmV4YW1wbGUgKHRlc3Qgb25seSkwIBcNMjYx
        MTIxMTQxNTM1WhgPMjEyNjEwMjgxNDE1MzVaMCgxJjAkBgNVBAMMHWVsc2V3aGVy
        ZS5leGFtcGxlICh0ZXN0IG9ubHkpMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
        LLYZCElX041zqL1O4HM2DtXusuWV7WAqO8J4A/Mw3F7ZYBifCm+PTnXI4BXrm8Cc
        0PoWlMrubL53mm1YnbVfBqNxMG8wHQYDVR0OBBYEFH2lYJcaY7zyrD4vSSJ5k26T
        st8dMB8GA1UdIwQYMBaAFH2lYJcaY7zyrD4vSSJ5k26Tst8dMA8GA1UdEwEB/wQF
        MAMBAf8wHAYDVR0RBBUwE4IRZWxzZXdoZXJlLmV4YW1wbGUwCgYIKoZIzj0EAwID
        SQAwRgIhAPGDMtMhTEcrjC+4YZ8e9cNL9PmXmtiYlTFulijN+n4cAiEAvLs1pZ/K
        LkNq2nvckc7qLfGn9oZikWsloYbAfl9EGbE=
        -----END CERTIFICATE-----
        """,
        key: """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5JbANq1q/A0tTeL6
        ak52+hrJEqlOzXwy8y0z67o8TamhRANCAAQsthkISVfTjXOovU7gczYO1e6y5ZXt
        YCo7wngD8zDcXtlgGJ8Kb49OdcjgFeubwJzQ+haUyu5svneabVidtV8G
        -----END PRIVATE KEY-----
        """)

    /// Writes both into a folder.
    package func files(in folder: URL) throws -> RPCServerConfiguration.TLS {
        let (certificateFile, keyFile) = (folder.appendingPathComponent("cert.pem"), folder.appendingPathComponent("key.pem"))
        try Data((certificate + "\n").utf8).write(to: certificateFile)
        try Data((key + "\n").utf8).write(to: keyFile)
        return RPCServerConfiguration.TLS(certificateFile: certificateFile.path, keyFile: keyFile.path)
    }
}
