import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {workOf} from '../../helpers/host/host.ts';
import {noSandbox, openLocalWorld} from '../../helpers/host/local-host.ts';
import {skipFor, skipWithout} from '../../helpers/missing.ts';
import {noOpenSsh, openSshUser} from '../../helpers/host/open-ssh.ts';

/** First port of displays: that of display 1 is the next. */
const FIRST_PORT = 6000;

const problem = skipFor(noSandbox ?? noOpenSsh ?? skipWithout('perl'));

/** The client's X server, which takes what a program says first, and answers. */
async function openScreen() {
	const said: string[] = [];
	const server = createServer((socket: Socket) => {
		socket.on('error', () => undefined);
		socket.once('data', bytes => {
			said.push(bytes.toString('latin1'));
			socket.end('drawn');
		});
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	return {
		said,
		display: `127.0.0.1:${port - FIRST_PORT}.0`,
		[Symbol.dispose]: () => void server.close(),
	};
}

/** A program of X inside: it shows the cookie of its display, and prints the server's answer. */
const PROGRAM = `perl -MIO::Socket::UNIX -e '
	my ($number) = $ENV{DISPLAY} =~ /^:(\\d+)/ or die "no display\\n";
	open(F, "<", "$ENV{HOME}/.Xauthority"); binmode F; undef $/;
	my ($family, $address, $display, $name, $cookie) = unpack("n n/a* n/a* n/a* n/a*", <F>);
	die "$display is not $number\\n" unless $display == $number;
	my $s = IO::Socket::UNIX->new(Peer => "/tmp/.X11-unix/X$number") or die "no socket\\n";
	print $s pack("a1 x v v v v x2 a20 a16", "l", 11, 0, length $name, length $cookie, $name, $cookie);
	$s->flush; print <$s>, "\\n";'`;

describe.skipIf(problem !== undefined)('the display of a client', () => {
	test('is drawn on by programs inside, and is gone with the connection', async () => {
		await using world = await openLocalWorld({kind: 'sandbox', graceMs: 0});
		using user = openSshUser();
		using screen = await openScreen();
		const key = user.makeKey('mine');
		await world.runtime.start(workOf({public_keys: [key.publicKey]}));
		const authority = join(world.own(7), 'home', '.Xauthority');
		const door = String(world.last()?.access?.ssh_port);
		const where = ['-i', key.file, '-p', door, 'root@127.0.0.1'];
		const socket = join(world.own(7), 'tmp', '.X11-unix', 'X10');
		const enter = async (...options: readonly string[]) => {
			const env = {DISPLAY: screen.display};
			const said = await user.run('ssh', [...options, ...user.options, ...where, PROGRAM], {env});
			await expect.poll(() => existsSync(socket)).toBe(false);
			return said;
		};
		// An entry of another program, and the rest of one, come before.
		writeFileSync(authority, Buffer.from('00010001610001390001620001630000', 'hex'));
		expect((await enter('-Y')).out).toBe('drawn\n');
		expect((await enter('-Y')).out).toBe('drawn\n');
		expect(screen.said).toHaveLength(2);
		expect(screen.said[0]).toContain('MIT-MAGIC-COOKIE-1');
		const kept = readFileSync(authority);
		expect(kept.subarray(-14).toString('hex')).toBe('0001000161000139000162000163');
		// The display of the first is one of the second again, and has one entry.
		expect(kept.toString('latin1').match(/MIT-MAGIC-COOKIE-1/g)).toHaveLength(1);
		expect((await enter()).complaint).toContain('no display');
	});
});
