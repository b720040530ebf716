#!/bin/sh
# Stops or destroys its own instance where its lease ends, with the key that it finds there. It runs in
# whatever sh the image has. `build/programs.ts` shortens it, by these names:
#
#   address_is=a      address of the instance at the service        pause_s=t       seconds between looks
#   limit_s=L         seconds until its end                         idle_limit_s=I  seconds of idling until its end
#   end_method=A      method of the call that ends it               stop_order=j    body of that call
#   before_limit_s=W  seconds that the command before may take      grace_s=G       seconds until that is tried again
#   count_cpu=M       1 where processor time counts as use          count_net=N     what a byte counts for
#   seen_as=S         what sessions and waits for a disk look like  lease_key=K     key of the lease
#   run_s=e  seconds that it has run     last_up_s=p  uptime at the last look   passed_s=x  seconds since then
#   idle_s=z  seconds that it idles      last_use=m   use at the last look      use_now=n   use at this one
#   up_s=u  uptime                       say_headers=h  call_service=q  run_before=b
#
# Files in ~/.rentty: t has the terms of the lease, and n new ones; s keeps how long it has run, and the
# key; r is as old as the last answer of the service; b1 and b2 are tries of the command before, with its
# exit code in r; o has what programs say, w is how wget learns of the key.
#
# Left out of what shellcheck says: what saves characters, and what is meant here.
# shellcheck disable=SC1105,SC2116,SC2162,SC2261,SC2062,SC1007,SC1091,SC2015,SC2086,SC2091,SC2154,SC2164,SC2188,SC2097,SC2098
(
(
	cd "${HOME:-/root}"
	mkdir -p .rentty
	cd .rentty || exit
	rm -rf b?
	$TERMS
	run_s= last_up_s= last_use=
	>>s >>t
	. ./t
	. ./s
	exec >o 2>&1

	say_headers() {
		echo "$1Authorization: Bearer $CONTAINER_API_KEY
$1Content-Type: application/json"
	}

	# Calls the service by whichever program is there; the key is in no argument.
	call_service() {
		say_headers | curl -sH@- -m60 -X$end_method -d$stop_order $address_is || (
			umask 77
			say_headers header= >w
			WGETRC=w wget -nv -O- -t1 --method=$end_method --body-data=$stop_order $address_is
		) || say_headers | python3 -c "from urllib.request import*;print('{',urlopen(Request('$address_is',b'$stop_order',dict(l[:-1].split(':')for l in open(0)),method='$end_method'),None,60))"
	}

	# Runs the command before, once a try; true where it succeeded. One that was cut off is waited for.
	run_before() {
		mkdir b$1 && {
			(
				cd ..
				$(command -v timeout && echo $before_limit_s) sh -c "$RENTTY_BEFORE"
			)
			echo $? >b$1/r
		} || [ -f b$1/r ] || sleep $before_limit_s
		grep ^0 b$1/r
	}

	while :; do
		# By the machine's uptime: a clock that is set ends nothing early. A machine that was off adds nothing.
		IFS=. read up_s _ </proc/uptime
		passed_s=$((last_up_s && up_s > last_up_s ? up_s - last_up_s : 0)) run_s=$((run_s + passed_s)) last_up_s=$up_s
		[ -f n ] && mv n t && . ./t && run_s=0 idle_s=0 last_use=

		# Use is bytes of its own network, and tenths of a microsecond of its own processor time: of its control
		# group, of version 2 or 1, else of the processes that it sees.
		use_now=$(echo $((1 + count_net * ($(sed -n '/ lo/d;s/.*:/+/p' /proc/net/dev | tr -s ' \n' +)0) + count_cpu * ($(
			cd /sys/fs/c*
			sed 's/.* //;q' cpu.stat || sed s/...$// cpua*/*ge || sed 's/.*)//' /proc/[0-9]*/stat | cut -d\  -f13-16 | sed 's/ \|$/00000+/g'
		)0))))

		# It idles where use grew by less than a tenth of a processor, nobody is in it, and no GPU computes. A look
		# that came late, or the first one after a change, counts for nothing.
		[ $((passed_s < 91 & last_use > 0 & use_now >= last_use & use_now - last_use <= passed_s << 20)) = 1 ] && ! grep -qs "$seen_as" /proc/*/cmdline /proc/*/stat && ! {
			nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader || rocm-smi -u | grep -o '[0-9]*$'
		} | grep -qvw [0-4] && idle_s=$((idle_s + passed_s)) || idle_s=0
		last_use=$use_now

		# Whether the service can be reached is seen before it has to be: JSON, or a refusal, is its answer.
		[ $((run_s % 99)) -le $passed_s ] && end_method=GET call_service 2>&1 | grep -qi '^{\|or 4' && >r &
		echo run_s=$run_s last_up_s=$last_up_s \#$lease_key >s.
		mv s. s

		[ $((run_s < limit_s & idle_s < idle_limit_s)) = 1 ] || {
			run_before 1 || {
				sleep $grace_s
				[ -f n ] || run_before 2
			}
			until [ -f n ]; do
				call_service
				sleep $pause_s
			done
		}
		sleep $pause_s
	done
) &
)
