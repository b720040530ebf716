# Facts of an instance for `rentty doctor`: the title of a part, then what its tool printed.
#
# It comes on standard input and nothing of it is left: the one file that it writes is removed
# before anything is in it. IS_MEASURED is 1 where the speed of the disk is measured, which writes
# half a GB; FROM is an address to download from, or empty.

part() { printf '\n== %s\n' "$1"; }

# A driver that has lost a GPU may never answer.
within() {
	if command -v timeout >/dev/null; then timeout "$@"; else
		shift
		"$@"
	fi
}

hundredths() {
	read -r up _ </proc/uptime
	echo "${up%.*}${up#*.}"
}

PATH="${HOME:-/root}/.local/bin:$PATH"
cd "${HOME:-/root}" 2>/dev/null || cd /

part gpus
if command -v nvidia-smi >/dev/null; then
	within 25 nvidia-smi -q 2>&1 | sed 's/ *:/:/'
elif command -v rocm-smi >/dev/null; then
	echo 'no tool'
	part cards
	within 25 rocm-smi --showproductname --showmeminfo vram --showuse --showtemp --json 2>/dev/null
else
	echo 'no tool'
fi
part links
within 10 nvidia-smi nvlink -s 2>/dev/null | grep -e '^GPU' -e 'Link'
part kernel
if dmesg >/dev/null 2>&1; then
	echo read
	dmesg 2>/dev/null | grep 'NVRM: Xid' | tail -n 100
fi
part holders
# shellcheck disable=SC2010 # names of /proc alone
ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c '/dev/nvidia[0-9]'
part processors
nproc 2>/dev/null || grep -c ^processor /proc/cpuinfo
cat /sys/fs/cgroup/cpu.max 2>/dev/null
part memory
grep MemTotal /proc/meminfo
cat /sys/fs/cgroup/memory.max 2>/dev/null
part disk
df -Pk . 2>/dev/null | tail -n 1

free=$(df -Pk . 2>/dev/null | awk 'END { print int($4) }')
if [ "$IS_MEASURED" = 1 ] && [ "${free:-0}" -gt 4000000 ]; then
	part speed
	file=".rentty-doctor-$$"
	trap 'rm -f "$file"' EXIT HUP INT TERM
	# shellcheck disable=SC2094 # written and read in turn
	exec 3>"$file" 4<"$file"
	rm -f "$file"
	begun=$(hundredths)
	dd if=/dev/urandom bs=1048576 count=16 2>/dev/null >&3
	made=$(hundredths)
	# The same 16 MB again and again, for at most five seconds.
	megabytes=16
	while [ $megabytes -lt 512 ] && [ $(($(hundredths) - begun)) -lt 500 ]; do
		dd if=/dev/fd/4 bs=4194304 count=4 2>/dev/null >&3
		megabytes=$((megabytes + 16))
	done
	dd if=/dev/null conv=fsync 2>/dev/null >&3
	ended=$(hundredths)
	echo "wrote $((megabytes - 16)) $((ended - made))"
	begun=$(hundredths)
	if within 10 dd if=/dev/fd/4 of=/dev/null bs=4194304 iflag=direct 2>/dev/null; then
		echo "read $megabytes $(($(hundredths) - begun))"
	fi
	exec 3>&- 4<&-
fi
if [ -n "$FROM" ]; then
	part download
	if command -v curl >/dev/null; then
		curl -sL -o /dev/null -m 10 -w '%{size_download} %{time_total} %{http_code}\n' "$FROM"
	else
		echo 'no curl'
	fi
fi
part time
date +%s
part end
