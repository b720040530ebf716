#!/bin/sh
# Builds dist/ where it is missing, or older than what it is made of.
cd "$(dirname "$0")/.." || exit
if [ -e dist/cli.js ] && [ -z "$(find source build package-lock.json -newer dist/cli.js | head -n 1)" ]; then
	exit
fi
npm run --silent build
