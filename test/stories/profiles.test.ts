import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {openHome, rentty} from '../helpers/commands/home.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {agree} from '../helpers/console/pty.ts';

/** Several programs are started one after the other. */
const PATIENCE = {timeout: 180_000};

/** A user's home, in which there may be profiles. */
function openProfilesHome(profiles: readonly unknown[] = []) {
	const home = openHome();
	const keep = (list: readonly unknown[]) => {
		mkdirSync(home.config, {recursive: true});
		const file = join(home.config, 'profiles.json');
		writeFileSync(file, JSON.stringify({profiles: list}), {mode: 0o600});
	};
	if (profiles.length > 0) keep(profiles);
	return {
		...home,
		keyFile(name: string, key: string) {
			const file = join(home.folder, name);
			writeFileSync(file, `${key}\n`, {mode: 0o600});
			return file;
		},
		profiles: keep,
		/** The files below it that hold a text. */
		filesWith: (text: string) =>
			readdirSync(home.folder, {recursive: true, withFileTypes: true})
				.filter(entry => entry.isFile())
				.map(entry => join(entry.parentPath, entry.name))
				.filter(file => readFileSync(file).includes(text)),
		[Symbol.dispose]: home[Symbol.dispose],
	};
}

test(
	'someone goes from one service to another and back, and the wrong one is read-only',
	PATIENCE,
	async () => {
		await using prod = await openTestMarket({offers: 30});
		await using lab = await openTestMarket({offers: 40});
		const client = openClient(lab);
		await client.templates.create({name: 'only-in-lab', image: 'a/lab'});
		await client.close();
		using home = openProfilesHome();
		home.profiles([
			{name: 'prod', url: prod.url, 'key-file': home.keyFile('p', prod.key), colour: 'red'},
			{
				name: 'lab',
				url: lab.url,
				// Found by a program, without a shell.
				'key-command': ['cat', home.keyFile('l', lab.key)],
				mode: 'read-only',
				settings: {diskGb: 77},
			},
		]);
		await using terminal = home.open(['--profile', 'prod']);
		await terminal.sees(/prod RW[^]*1 of \d+/);
		terminal.type('6');
		await terminal.sees('▌ prod');
		terminal.type('j');
		await terminal.sees('▌ lab');
		terminal.type('\r');
		await terminal.sees(/lab RO[^]*1 of \d+/);
		terminal.type('3');
		await terminal.sees('only-in-lab');
		terminal.type('n');
		await terminal.sees('this profile is read-only');
		terminal.type('6');
		const shown = await terminal.sees(/▌ lab[^]*in use/);
		expect(shown).toMatch(/lab +http:\S+ +\.\.\w{4} command +RO +in use/);
		expect(shown).toContain('77 GB');
		terminal.type('q');
		expect(await terminal.ends()).toBe(0);
		// What was chosen last is opened next, and neither key is anywhere but in its file.
		await using again = home.open();
		await again.sees('lab RO');
		again.type('q');
		expect(await again.ends()).toBe(0);
		for (const {key} of [prod, lab]) {
			expect(home.filesWith(key)).toHaveLength(1);
			expect(terminal.raw()).not.toContain(key);
		}
	},
);

test(
	'a new user pastes a key, sees what it can do, and lands on the offers',
	PATIENCE,
	async () => {
		await using market = await openTestMarket({offers: 30});
		using home = openProfilesHome();
		await using terminal = home.open();
		await terminal.sees('6 n: use your own key');
		terminal.type('6');
		await terminal.sees('▌ practice');
		terminal.type('n');
		await terminal.sees('rentty needs an API key');
		terminal.type('\t');
		await terminal.sees('▌ pasted key');
		terminal.type('\r');
		await terminal.sees('take it');
		terminal.type(`\u001B[200~${market.key}\u001B[201~`);
		await terminal.sees('*****');
		terminal.type('\t');
		await terminal.sees('▌ server');
		terminal.type('\r');
		await terminal.sees('take it');
		terminal.type(`\u001B[200~${market.url}\u001B[201~`);
		await terminal.sees(market.url);
		terminal.type('\r');
		await terminal.sees('edit');
		terminal.type('\u001B[F');
		await terminal.sees('> [ Save unchecked ]');
		terminal.type('k');
		await terminal.sees('> [ Check the key');
		terminal.type('\r');
		const checked = await terminal.sees('WHAT THE KEY CAN DO');
		expect(checked).toMatch(/search offers +yes +read ok/);
		expect(checked).toMatch(/create instance +\? +not tried/);
		await agree(terminal, 'WHAT THE KEY CAN DO', '\r');
		await terminal.sees(/prod RW[^]*1 of \d+/);
		terminal.type('q');
		expect(await terminal.ends()).toBe(0);
		const file = join(home.config, 'keys', 'prod');
		expect(home.filesWith(market.key)).toEqual([file]);
		for (const each of [file, join(home.config, 'profiles.json')]) {
			expect(statSync(each).mode & 0o777).toBe(0o600);
		}
		expect(terminal.raw()).not.toContain(market.key);
	},
);

test('a profile that is not there is refused with the names of those that are', () => {
	using home = openProfilesHome([{name: 'prod', url: 'http://127.0.0.1:1', 'key-variable': 'KEY'}]);
	const env = {...process.env, XDG_CONFIG_HOME: join(home.folder, 'config')};
	const run = () =>
		execFileSync(rentty, ['--profile', 'prd'], {env, encoding: 'utf8', stdio: 'pipe'});
	expect(run).toThrow('--profile prd: there is no such profile. There are: prod, practice.');
});
