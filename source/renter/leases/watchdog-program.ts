/** Text of `watchdog.sh`, made by `npm run docs`. */
export const program = `((cd "\${HOME:-/root}"
mkdir -p .rentty
cd .rentty||exit
rm -rf b?
$TERMS
e= p= m=
>>s>>t
. ./t
. ./s
exec>o 2>&1
h() {
echo "$1Authorization: Bearer $CONTAINER_API_KEY
$1Content-Type: application/json"
}
q() {
h|curl -sH@- -m60 -X$A -d$j $a||(umask 77
h header=>w
WGETRC=w wget -nv -O- -t1 --method=$A --body-data=$j $a)||h|python3 -c "from urllib.request import*;print('{',urlopen(Request('$a',b'$j',dict(l[:-1].split(':')for l in open(0)),method='$A'),None,60))"
}
b() {
mkdir b$1&&{
(cd ..
$(command -v timeout&&echo $W) sh -c "$RENTTY_BEFORE")
echo $?>b$1/r
}||[ -f b$1/r ]||sleep $W
grep ^0 b$1/r
}
while :;do
IFS=. read u _</proc/uptime
x=$((p&&u>p?u-p:0)) e=$((e+x)) p=$u
[ -f n ]&&mv n t&&. ./t&&e=0 z=0 m=
n=$(echo $((1+N*($(sed -n '/ lo/d;s/.*:/+/p' /proc/net/dev|tr -s ' \\n' +)0)+M*($(cd /sys/fs/c*
sed 's/.* //;q' cpu.stat||sed s/...$// cpua*/*ge||sed 's/.*)//' /proc/[0-9]*/stat|cut -d\\  -f13-16|sed 's/ \\|$/00000+/g')0))))
[ $((x<91&m>0&n>=m&n-m<=x<<20)) = 1 ]&&! grep -qs "$S" /proc/*/cmdline /proc/*/stat&&! {
nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader||rocm-smi -u|grep -o '[0-9]*$'
}|grep -qvw [0-4]&&z=$((z+x))||z=0
m=$n
[ $((e%99)) -le $x ]&&A=GET q 2>&1|grep -qi '^{\\|or 4'&&>r&echo e=$e p=$p \\#$K>s.
mv s. s
[ $((e<L&z<I)) = 1 ]||{
b 1||{
sleep $G
[ -f n ]||b 2
}
until [ -f n ];do
q
sleep $t
done
}
sleep $t
done)&)
`;
