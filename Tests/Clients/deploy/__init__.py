"""What deploy/ offers: files that are checked by the tools that read them, and HAProxy in front of two nodes."""
