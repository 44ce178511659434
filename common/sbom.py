#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the programs and the library are made of as SPDX 2.3 (JSON), to standard output.

Usage: sbom.py VERSION [static] [amd] [lzma] [bzip2] [cuda=NVCC]

VERSION is the project's; `static` says that the libraries are linked statically (STATIC=1), `amd`,
`lzma` and `bzip2` that SuiteSparse's AMD, liblzma and libbz2 are among them, `cuda=` that the
programs have the CUDA runtime of that nvcc in them. Versions of the libraries are those that are
installed, as pkg-config, dpkg-query and the compilers tell; NOASSERTION where none of them does. The same sources and libraries give the same bytes: the date is SOURCE_DATE_EPOCH,
or that of the commit.
"""

import datetime
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys

NONE = "NOASSERTION"
CUDA_LICENSE = "LicenseRef-NVIDIA-CUDA-EULA"


def output_of(*command):
    """Returns what a command prints, stripped; empty where it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def version_of(module, *packages):
    """Returns the version of a pkg-config module or of the first Debian package that is
    installed."""
    found = output_of("pkg-config", "--modversion", module) if module else ""
    for package in packages:
        found = found or output_of("dpkg-query", "-W", "-f", "${Version}", package)
    return found or NONE


def version_of_openmp():
    """Returns the version of GCC's runtime; the compiler's version where the package is not
    known."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    found = version_of(None, "libgomp1")
    return found if found != NONE else output_of(*compiler, "-dumpfullversion") or NONE


def version_of_cuda(nvcc):
    found = re.search(r"\bV(\d[\d.]*)", output_of(nvcc, "--version"))
    return found.group(1) if found else NONE


def created():
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "log", "-1", "--format=%ct")
    date = datetime.datetime.fromtimestamp(int(epoch or 0), datetime.timezone.utc)
    return date.strftime("%Y-%m-%dT%H:%M:%SZ")


def package(name, version, license_id, supplier, **more):
    made = {
        "SPDXID": "SPDXRef-Package-" + name,
        "name": name,
        "versionInfo": version,
        "supplier": supplier,
        "downloadLocation": NONE,
        "filesAnalyzed": False,
        "licenseConcluded": license_id,
        "licenseDeclared": license_id,
        "copyrightText": NONE,
    }
    if version != NONE:
        made["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": "pkg:generic/%s@%s" % (name, version.replace(":", "%3A")),
        }]
    return dict(made, **more)


def main(version, *options):
    static = "STATIC_LINK" if "static" in options else "DYNAMIC_LINK"
    cuda = [option.partition("=")[2] for option in options if option.startswith("cuda=")]
    linked = [
        (static, package("zlib", version_of("zlib", "zlib1g"), "Zlib",
                         "Organization: zlib authors")),
        ("DYNAMIC_LINK", package("libgomp", version_of_openmp(),
                                 "GPL-3.0-or-later WITH GCC-exception-3.1",
                                 "Organization: Free Software Foundation")),
    ]
    if "amd" in options:
        linked.append((static, package("suitesparse-amd", version_of("AMD", "libamd3", "libamd2"),
                                       "BSD-3-Clause", "Organization: SuiteSparse authors")))
    if "lzma" in options:
        linked.append((static, package("liblzma", version_of("liblzma", "liblzma5"), "0BSD",
                                       "Organization: Tukaani")))
    if "bzip2" in options:
        linked.append((static, package("bzip2", version_of("bzip2", "libbz2-1.0"), "bzip2-1.0.6",
                                       "Organization: bzip2 authors")))
    linked += [("STATIC_LINK", package("cuda-runtime", version_of_cuda(nvcc), CUDA_LICENSE,
                                       "Organization: NVIDIA")) for nvcc in cuda]
    own = package("apsp", version, "MIT", NONE, primaryPackagePurpose="APPLICATION")
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": "apsp-" + version,
        "creationInfo": {"created": created(), "creators": ["Tool: apsp-sbom-" + version]},
        "packages": [own] + [made for _, made in linked],
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": own["SPDXID"]}]
        + [{"spdxElementId": own["SPDXID"], "relationshipType": how,
            "relatedSpdxElement": made["SPDXID"]} for how, made in linked],
    }
    if cuda:
        document["hasExtractedLicensingInfos"] = [{
            "licenseId": CUDA_LICENSE, "name": "NVIDIA CUDA Toolkit End User License Agreement",
            "extractedText": "https://docs.nvidia.com/cuda/eula/"}]
    # Every content gets a name of its own.
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    document["documentNamespace"] = "https://spdx.org/spdxdocs/apsp-%s-%s" % (version, digest[:32])
    json.dump(document, sys.stdout, indent=2, sort_keys=True)
    print()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
