# SPDX-License-Identifier: MIT
"""The package's description, as indices of packages show it: python/README.md, whose links into the tree
lead to APSP_URL in the environment, the project's public address; without one they become text."""

import os
import posixpath
import re

from hatchling.metadata.plugin.interface import MetadataHookInterface

README = "python/README.md"
# [TEXT](TARGET), of which TARGET is a path.
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!#|\w+:)([^()\s]+)\)")


def description(text, url, version):
    """url: the address, below which blob/vVERSION/ has the files of that version, or None."""
    def link(found):
        label, target = found.groups()
        if url is None:
            return label
        path = posixpath.normpath(posixpath.join(posixpath.dirname(README), target))
        return "[%s](%s/blob/v%s/%s)" % (label, url, version, path)
    return LINK.sub(link, text)


class Description(MetadataHookInterface):

    def update(self, metadata):
        url = os.environ.get("APSP_URL", "").rstrip("/") or None
        with open(os.path.join(self.root, README), encoding="utf-8") as file:
            metadata["readme"] = {"content-type": "text/markdown",
                                  "text": description(file.read(), url, metadata["version"])}
        metadata["urls"] = {} if url is None else {
            "Source": url, "Changelog": "%s/blob/v%s/CHANGELOG.md" % (url, metadata["version"])}
