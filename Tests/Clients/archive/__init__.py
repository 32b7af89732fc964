"""An archive in a bucket of S3: signatures, a server of moto, and servers that fail."""
