"""What the package is made of, in SPDX 2.3: https://spdx.github.io/spdx-spec/v2.3/"""

import hashlib
import json
import re
import time


def text(components, release):
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"hearth-{release.version}-{release.architecture}", "documentNamespace": namespace(components, release),
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch)), "creators": ["Tool: hearth-dev-package"]},
        "documentDescribes": ["SPDXRef-hearth"],
        "packages": [own(release), *[package(component) for component in components]],
        "relationships": [relationship(component) for component in components],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def namespace(components, release):
    """The name of this document alone, and the same whenever it is made again."""
    content = repr([(c.name, c.version, c.source) for c in components]) + repr(release)
    return f"urn:hearth:sbom:{release.version}:{release.architecture}:{hashlib.sha256(content.encode()).hexdigest()}"


def own(release):
    found = entry("hearth", release.version, "Apache-2.0")
    return found | ({"sourceInfo": f"commit {release.commit}"} if release.commit else {}) | {"primaryPackagePurpose": "APPLICATION"}


def package(component):
    found = entry(component.name, component.version, component.license)
    if component.source:
        address, _, commit = component.source.partition("@")
        found["downloadLocation"] = f"git+{component.source}" if commit else address
        name = address.split("//")[1].split("/", 1)
        if name[0] == "github.com":
            locator = f"pkg:github/{name[1].lower()}@{commit or component.version}"
            found["externalRefs"] = [
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]
    return found


def entry(name, version, license):
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION",
    }


def relationship(component):
    kind = "DYNAMIC_LINK" if component.is_dynamic else "STATIC_LINK"
    return {"spdxElementId": "SPDXRef-hearth", "relationshipType": kind, "relatedSpdxElement": identifier(component.name)}


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
