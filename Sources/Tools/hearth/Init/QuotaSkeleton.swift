// SPDX-License-Identifier: Apache-2.0

/// The quotas that a new server starts with, if they are wanted: what an app of usual size does not notice.
enum QuotaSkeleton {
    static let text = """
        {
          "user": {
            "reads": { "minute": 5000, "day": 500000 },
            "writes": { "minute": 500, "day": 50000 },
            "writtenBytes": { "minute": 20000000, "day": 1000000000 },
            "listeners": 200
          },
          "anonymous": {
            "reads": { "minute": 1000, "day": 100000 },
            "writes": { "minute": 60, "day": 2000 },
            "writtenBytes": { "minute": 2000000, "day": 50000000 },
            "listeners": 50
          },
          "database": { "writes": { "minute": 100000 }, "listeners": 20000, "bytes": 50000000000 },
          "project": { "databases": 20 }
        }

        """
}
