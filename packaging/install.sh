#!/bin/sh
# Installs rentty for one user, without root: one file, and completions for bash, zsh and fish.
# Nothing of it is run before its signature has been compared with the key below.
set -eu

KEY='@PUBLIC_KEY@'
SSH_KEY='@SSH_KEY@'
RELEASE='@RELEASE@'
FROM='@FROM@'

usage() {
	cat <<'END'
Usage: sh install.sh [--from PLACE] [--to FOLDER] [--older] [--remove]

  --from PLACE  the URL or the folder of a release
  --to FOLDER   where the program goes (default: ~/.local/bin)
  --older       install a release that is older than this script, or than what is there
  --remove      take away what was installed; what you made stays

Proxies are taken from the environment: https_proxy, http_proxy, no_proxy.
END
}

fail() {
	printf 'install.sh: %s\n' "$1" >&2
	exit 1
}

platform() {
	case $(uname -s) in
		Linux) os=linux ;;
		Darwin) os=darwin ;;
		*) fail "There is no rentty for $(uname -s): it runs on Linux and macOS." ;;
	esac
	case $(uname -m) in
		x86_64 | amd64) cpu=x64 ;;
		aarch64 | arm64) cpu=arm64 ;;
		*) fail "There is no rentty for $(uname -m): it runs on x86_64 and arm64." ;;
	esac
	# A shell that is translated on an arm64 machine says that it is another one.
	if [ "$os" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then
		cpu=arm64
	fi
	echo "$os-$cpu"
}

# What the program is linked with, before anything large is fetched.
check_system() {
	[ "$1" != "${1#linux-}" ] || return 0
	if ldd --version 2>&1 | grep -qi musl; then
		fail 'rentty needs glibc 2.28 or newer, and this system has musl.'
	fi
	libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || echo 'glibc 0')
	libc=${libc#glibc }
	minor=${libc#*.}
	if [ "${libc%%.*}" -lt 2 ] || { [ "${libc%%.*}" -eq 2 ] && [ "${minor%%.*}" -lt 28 ]; }; then
		fail "rentty needs glibc 2.28 or newer, and this system has $libc."
	fi
}

check_libraries() {
	missing=$(ldd "$1" 2>/dev/null | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p' | tr '\n' ' ')
	[ -z "$missing" ] ||
		fail "rentty needs ${missing% }: apt-get install libstdc++6 libatomic1, or dnf install libstdc++ libatomic."
}

# Fetches a file of the release.
get() {
	case $from in
		http://* | https://*)
			if command -v curl >/dev/null; then
				curl -fsSL --retry 2 -o "$2" "${from%/}/$1" 2>"$work/why"
			elif command -v wget >/dev/null; then
				wget -q -O "$2" "${from%/}/$1" 2>"$work/why"
			else
				fail 'Neither curl nor wget is installed.'
			fi
			;;
		*) cp "${from#file://}/$1" "$2" 2>"$work/why" ;;
	esac || {
		why=$(sed -n '$p' "$work/why")
		fail "$1 cannot be read from $from${why:+ ($why)}."
	}
}

check_signature() {
	if command -v ssh-keygen >/dev/null && ssh-keygen -Y 2>&1 | grep -q verify; then
		printf 'rentty %s\n' "$SSH_KEY" >"$work/signers"
		get SHA256SUMS.sshsig "$work/sums.sshsig"
		ssh-keygen -Y verify -f "$work/signers" -I rentty -n rentty-release \
			-s "$work/sums.sshsig" <"$work/sums" >/dev/null 2>&1 && return
	elif openssl version 2>/dev/null | grep -q '^OpenSSL [3-9]'; then
		printf -- '-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n' "$KEY" >"$work/key.pem"
		get SHA256SUMS.sig "$work/sums.sig"
		openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin \
			-in "$work/sums" -sigfile "$work/sums.sig" >/dev/null 2>&1 && return
	else
		fail 'The signature cannot be checked: ssh-keygen of OpenSSH 8, or OpenSSL 3, is needed for it.'
	fi
	fail "$from is not signed by the key of rentty. Nothing was installed."
}

hash_of() {
	if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# Whether a release is older than another: by its version, or by its date where both are known.
is_older() {
	first=$(printf '%s\n%s\n' "${1% *}" "${2% *}" | sort -t . -k 1,1n -k 2,2n -k 3,3n | head -n 1)
	if [ "${1% *}" != "${2% *}" ] && [ "$first" = "${1% *}" ]; then return 0; fi
	[ "$2" != "${2#* }" ] || return 1
	first=$(printf '%s\n%s\n' "${1#* }" "${2#* }" | LC_ALL=C sort | head -n 1)
	[ "${1#* }" != "${2#* }" ] && [ "$first" = "${1#* }" ]
}

# Whoever may only show what was signed once shows an old release with faults that are known.
refuse_older() {
	here=$("$to/rentty" --version 2>/dev/null | sed -n '1s/^rentty \([0-9.]*\)$/\1/p') || here=
	why=
	if is_older "$release" "$RELEASE"; then
		why="this script is of $(words_of "$RELEASE")"
	elif [ -n "$here" ] && is_older "$release" "$here"; then
		why="$to/rentty is $here"
	fi
	[ -z "$why" ] || fail "$from has rentty $(words_of "$release"), and $why: --older goes back. Nothing was installed."
}

words_of() {
	echo "${1% *} of ${1#* }" | cut -d T -f 1
}

install_rentty() {
	[ -n "$from" ] || fail 'This script knows no place of releases: --from names one.'
	name=$(platform)
	check_system "$name"
	get SHA256SUMS "$work/sums"
	# What a proxy or a page to sign in sends instead is none.
	release=$(sed -n '1s/^# rentty \([0-9.]*\) \([0-9TZ:-]*\)$/\1 \2/p' "$work/sums")
	[ -n "$release" ] && grep -Eq '^[0-9a-f]{64}  rentty-' "$work/sums" ||
		fail "$from has no release of rentty: what came is another page, as proxies and sign-in pages send it."
	check_signature
	version=${release% *}
	file=rentty-$version-$name.gz
	found=$(grep -E "^[0-9a-f]{64}  $file\$" "$work/sums") || fail "$from has nothing for $name."
	if [ -L "$to/rentty" ] || [ -d "$to/rentty" ]; then
		fail "$to/rentty is another installation: remove it first, or name another folder by --to."
	fi
	[ -n "$older" ] || refuse_older
	mkdir -p "$to" 2>/dev/null && [ -w "$to" ] || fail "You may not write to $to: --to names another folder."
	get "$file" "$work/rentty.gz"
	[ "$(hash_of "$work/rentty.gz")" = "${found%% *}" ] || fail "$file is not what was signed. Nothing was installed."
	# A new folder of nobody else: what others laid in a folder that they may write to is not followed.
	made=$(mktemp -d "$to/.rentty.XXXXXX") || fail "There is no room in $to."
	gzip -dc "$work/rentty.gz" >"$made/rentty" 2>/dev/null || fail "There is no room in $to."
	chmod 755 "$made/rentty"
	[ "$name" = "${name#linux-}" ] || check_libraries "$made/rentty"
	said=$("$made/rentty" --version 2>&1 | head -n 1) || true
	[ "$said" = "rentty $version" ] || fail "rentty does not start here: $said"
	mv -f "$made/rentty" "$to/rentty"
	write_completions
	echo "rentty $version is in $to/rentty, with completions for bash, zsh and fish."
	case :$PATH: in
		*":$to:"*) ;;
		*) echo "$to is not in your PATH: export PATH=\"$to:\$PATH\"" ;;
	esac
	if command -v zsh >/dev/null; then
		echo "zsh finds its own by a line in ~/.zshrc, before compinit: fpath=('$data/zsh/site-functions' \$fpath)"
	fi
	echo 'rentty upgrade brings a newer one. To remove it:'
	echo "  rm -rf$( (places; echo "$cache/rentty") | sed "s/.*/ '&'/" | tr -d '\n')"
}

# All files that are installed.
places() {
	echo "$to/rentty"
	echo "$data/bash-completion/completions/rentty"
	echo "$data/zsh/site-functions/_rentty"
	echo "$config/fish/completions/rentty.fish"
}

write_completions() {
	places | tail -n 3 | while IFS= read -r place; do
		case $place in
			*/bash-completion/*) shell=bash ;;
			*/zsh/*) shell=zsh ;;
			*) shell=fish ;;
		esac
		if ! { mkdir -p "${place%/*}" && "$to/rentty" completions "$shell" >"$place"; } 2>/dev/null; then
			echo "Completions for $shell cannot be written to $place."
		fi
	done
}

remove_rentty() {
	[ -e "$to/rentty" ] || fail "There is no rentty in $to: --to names where it is."
	kept=$("$to/rentty" doctor --files 2>/dev/null | grep -v "^$cache/rentty	") || kept=
	places | while IFS= read -r place; do rm -f "$place"; done
	rm -rf "$cache/rentty"
	# Folders of others are not empty, or not below these.
	(cd "$data" && rmdir -p bash-completion/completions) 2>/dev/null || true
	(cd "$data" && rmdir -p zsh/site-functions) 2>/dev/null || true
	(cd "$config" && rmdir -p fish/completions) 2>/dev/null || true
	echo 'rentty is removed.'
	[ -z "$kept" ] || printf 'What you made stays:\n%s\n' "$kept"
	case $kept in
		*/rentty-guard.service*) echo 'The guard cannot start again: systemctl --user disable --now rentty-guard' ;;
	esac
}

main() {
	from=$FROM
	to=${HOME:-}/.local/bin
	action=install
	older=
	while [ $# -gt 0 ]; do
		case $1 in
			--from | --to)
				[ $# -gt 1 ] || fail "$1 needs a value."
				if [ "$1" = --from ]; then from=$2; else to=$2; fi
				shift
				;;
			--older) older=yes ;;
			--remove) action=remove ;;
			--help | -h) usage && return ;;
			*) fail "There is no option $1: --help shows all." ;;
		esac
		shift
	done
	[ -n "${HOME:-}" ] || fail 'HOME is not set, so there is no place for what is installed.'
	case $to in /*) ;; *) to=$PWD/$to ;; esac
	data=${XDG_DATA_HOME:-$HOME/.local/share}
	config=${XDG_CONFIG_HOME:-$HOME/.config}
	cache=${XDG_CACHE_HOME:-$HOME/.cache}
	made=
	work=$(mktemp -d) || fail 'There is no room for temporary files.'
	trap 'rm -rf "$work" ${made:+"$made"}' EXIT
	trap 'exit 130' INT TERM
	"${action}_rentty"
}

# The last line, so that half a script does nothing.
main "$@"
