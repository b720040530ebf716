import {spawn} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {openSimulation} from '../../source/commands/practice/simulation.ts';
import {calmRates} from '../../source/host/simulated/script.ts';
import {openMarket} from '../helpers/market/postgres.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';
import {skipWithout} from '../helpers/missing.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

/** A market whose instances are entered by SSH, and a shell with the built program. */
async function openWorld() {
	const user = openSshUser();
	const market = await openMarket({file: ':memory:', offers: 60, rateScale: 0});
	const instances = join(user.folder, 'instances');
	const simulation = await openSimulation(market, {seed: 1, trouble: calmRates, folder: instances});
	const keyFile = join(user.folder, 'key');
	writeFileSync(keyFile, await market.createKey('script'), {mode: 0o600});

	/** Runs a script of bash, in which `rentty` is the built program with the service. */
	async function bash(script: string) {
		const whole = `set -u\nrentty() { ${rentty} "$@"; }\n${script}`;
		const child = spawn('bash', ['-c', whole], {
			cwd: user.folder,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				PATH: process.env['PATH'],
				HOME: user.folder,
				RENTTY_URL: market.url,
				RENTTY_API_KEY: await market.createKey('script'),
			},
		});
		const ended = new Promise<number | null>(resolve => child.on('close', resolve));
		const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
		return {out, err, code: await ended};
	}
	return {
		user,
		bash,
		instances,
		async [Symbol.asyncDispose]() {
			await simulation.close();
			await market.close();
			user[Symbol.dispose]();
		},
	};
}

const noJq = skipWithout('jq');

test.skipIf(noOpenSsh !== undefined || noJq !== undefined)(
	'a script rents, waits, runs a command over SSH, reads the log and destroys',
	async () => {
		await using world = await openWorld();
		const {file} = world.user.makeKey('laptop');
		const {out, err, code} = await world.bash(`
			rentty keys add ${file}.pub --json | jq -e .id >/dev/null || exit 11
			id=$(rentty rent any --image ubuntu:24.04 --label train --yes --wait --json | jq -e .id) || exit 12
			rentty ssh train -i ${file} -- 'echo "inside $CONTAINER_ID"' || exit 13
			rentty ssh train -i ${file} -- 'exit 42'
			echo "ended with $?"
			rentty logs train | head -n 1 >/dev/null || exit 14
			rentty ps --json | jq -r '.label + " " + .condition' || exit 15
			rentty stop train --yes && rentty start train --yes --wait || exit 16
			rentty destroy "$id" --yes --json | jq -r .outcome
			rentty destroy "$id" --yes
			echo "ended with $?"
		`);
		expect({out: out.replaceAll(/\d{3,}/g, 'N'), code, err}).toMatchObject({
			out: [
				'inside 1',
				'ended with 42',
				'train running',
				'1 train stopped',
				'1 train running',
				'gone',
				'ended with 4',
				'',
			].join('\n'),
			code: 0,
		});
		expect(existsSync(join(world.instances, '1'))).toBe(false);
	},
);

test('bash completes commands and the labels of what is rented', async () => {
	await using world = await openWorld();
	const {out, err} = await world.bash(`
		PATH=${join(rentty, '..')}:$PATH
		unset -f rentty
		source <(rentty completions bash)
		rentty rent any --image ubuntu:24.04 --label train-a --yes >/dev/null
		ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _rentty; echo "\${COMPREPLY[*]}"; }
		ask rentty swe
		for turn in 1 2 3 4 5; do found=$(ask rentty destroy tra); [ -n "$found" ] && break; done
		echo "$found"
	`);
	expect({out, err}).toMatchObject({out: 'sweep\ntrain-a\n'});
});

test('what reads a command may stop reading', async () => {
	await using world = await openWorld();
	const {out, err} = await world.bash(`
		rentty offers any --limit 60 | head -n 1
		echo "\${PIPESTATUS[0]}"
	`);
	expect({out, err}).toEqual({out: 'ID\tGPUS\tVRAM\t$/H\tALL IN\tREL\tDAYS\tWHERE\n0\n', err: ''});
});

test.skipIf(!existsSync('/dev/full'))(
	'output that cannot be written is said, and fails',
	async () => {
		await using world = await openWorld();
		const {err, code} = await world.bash('rentty offers 4090 --json > /dev/full');
		expect(code).toBe(1);
		expect(err).toBe(
			'rentty: The output cannot be written (ENOSPC). What was done stays: rentty ps shows it.\n',
		);
	},
);
