#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renders recipe.yaml as conda-forge's tools do, by py-rattler-build: package/conda/render.py VERSION

Writes the commands of its build to standard output. Ends with status 1 if the recipe is no recipe, or for another
version."""

import sys
from pathlib import Path

import rattler_build

RECIPE = Path(__file__).with_name("recipe.yaml")
# Some of the versions that conda-forge pins.
PINNED = """
python: ["3.12.* *_cpython"]
c_compiler: [gcc]
c_compiler_version: ["14"]
c_stdlib: [sysroot]
c_stdlib_version: ["2.28"]
"""


def main(version: str) -> int:
    try:
        recipe = rattler_build.Stage0Recipe.from_file(RECIPE)
        rendered = list(recipe.render(rattler_build.VariantConfig.from_yaml(PINNED)))
    except rattler_build.RattlerBuildError as error:
        print("%s: %s" % (RECIPE, error), file=sys.stderr)
        return 1
    found = [variant.recipe.to_dict() for variant in rendered]
    if [package["package"] for package in found] != [{"name": "apsp", "version": version}]:
        print("%s: expected one package apsp %s, found %s" % (RECIPE, version, [package["package"] for package in found]),
              file=sys.stderr)
        return 1
    print("rendered: apsp %s, build %s, needs %s" % (version, found[0]["build"]["string"], found[0]["requirements"]),
          file=sys.stderr)
    script = found[0]["build"]["script"]
    for name, value in script["env"].items():
        print("%s='%s'" % (name, value))
    print("\n".join(script["content"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
