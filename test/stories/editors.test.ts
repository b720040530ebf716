import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {workOf} from '../helpers/host/host.ts';
import {insideKinds, openLocalWorld} from '../helpers/host/local-host.ts';
import {skipWithout} from '../helpers/missing.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';
import {freePorts} from '../helpers/market/relay.ts';

const missing = [noOpenSsh, skipWithout('python3'), skipWithout('curl'), skipWithout('tar')];
const isMissing = missing.some(reason => reason !== undefined);

/** The part of an editor that runs in the instance: it serves its own number at a port of its choice. */
const SERVER = `
import http.server, os
class Page(http.server.BaseHTTPRequestHandler):
	def do_GET(self):
		self.send_response(200)
		self.end_headers()
		self.wfile.write(b"editor %d" % os.getpid())
	def log_message(self, *given): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Page)
print("listening on %d" % server.server_port, flush=True)
server.serve_forever()
`;

/** What editors have a shell read from its input: it unpacks and starts their server, and stays. */
const START = `
cd .editor && tar xzf server.tgz || exit 1
if [ ! -e log ]; then nohup python3 server.py > log 2>&1 < /dev/null & fi
until grep listening log; do sleep 0.1; done
cat
`;

/** A client of OpenSSH that stays, with its input open. */
function openClient(args: readonly string[], cwd: string) {
	const child = spawn('ssh', args, {cwd, stdio: ['pipe', 'pipe', 'inherit']});
	const closed = once(child, 'close');
	return {
		child,
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
			await closed;
		},
	};
}

const kinds = insideKinds.map(({kind, left}) => ({
	kind,
	isSkipped: isMissing || left !== undefined,
}));

for (const {kind, isSkipped} of kinds) {
	test.skipIf(isSkipped)(
		`an editor copies its server into a ${kind}, starts it, and finds it again`,
		async () => {
			using user = openSshUser();
			const key = user.makeKey('mine');
			await using world = await openLocalWorld({kind, graceMs: 0});
			await world.runtime.start(workOf({public_keys: [key.publicKey]}));
			const port = String(world.last()?.access?.ssh_port);
			const usual = [...user.options, '-i', key.file];
			const place = 'root@127.0.0.1';

			mkdirSync(join(user.folder, 'made'));
			writeFileSync(join(user.folder, 'made', 'server.py'), SERVER);
			await user.run('tar', ['czf', 'server.tgz', '-C', 'made', 'server.py']);
			await user.run('ssh', [...usual, '-p', port, place, 'mkdir -p .editor']);
			const sent = ['-P', port, 'server.tgz', `${place}:.editor/`];
			expect(await user.run('scp', [...usual, ...sent])).toMatchObject({code: 0, complaint: ''});

			const proxy = await freePorts(1);
			const first = ['-T', '-D', String(proxy), '-p', port, place, 'sh'];
			const where = await (async () => {
				await using editor = openClient([...usual, ...first], user.folder);
				editor.child.stdin.write(START);
				const said = String(await once(editor.child.stdout, 'data'));
				const address = `127.0.0.1:${/^listening on (\d+)/.exec(said)?.[1]}`;
				const through = ['-s', '--socks5-hostname', `127.0.0.1:${proxy}`, address];
				const {out} = await user.run('curl', through);
				expect(out).toMatch(/^editor \d+$/);
				return {address, out};
			})();

			// The window was closed, and is opened again: its server has gone on.
			const socket = join(user.folder, 'forward');
			const again = ['-N', '-L', `${socket}:${where.address}`, '-p', port, place];
			await using editor = openClient([...usual, ...again], user.folder);
			await expect.poll(() => existsSync(socket)).toBe(true);
			const {out} = await user.run('curl', ['-s', '--unix-socket', socket, 'http://editor/']);
			expect(out).toBe(where.out);
			editor.child.stdin.end();
		},
	);
}
