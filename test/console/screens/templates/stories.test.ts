import {readFileSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import type {RunOutside} from '../../../../source/console/services/outside-program.ts';
import {openTestConsole} from '../../../helpers/console/console.ts';
import {openTestMarket} from '../../../helpers/market/market.ts';
import {createGate, delayed} from '../../../helpers/services/faults.ts';
import {openTemplates} from './open-templates.ts';

const ESC = '\u001B';

test('a template is edited, and its new hash is shown and used from then on', async () => {
	await using rentty = await openTemplates();
	await rentty.press('e');
	await rentty.sees('> name');
	await rentty.press('\t', '\t', '\r', '.', '1', '\r', '\u001B[F', 'k', 'k', '\r');
	await rentty.sees('Saved. Its hash is ..');
	const saved = await rentty.find('torch');
	expect(saved?.tag).toBe('2.6.1');
	expect(saved?.hash_id).not.toBe(rentty.hash);
	expect(rentty.settings.get().templateHash).toBe(saved?.hash_id);
	await rentty.sees(`a/torch:2.6.1 `);
	await rentty.sees(`..${saved?.hash_id.slice(-4)}`);
});

test('a template that was changed elsewhere is not overwritten before it was asked', async () => {
	await using rentty = await openTemplates();
	await rentty.press('e');
	await rentty.sees('> name');
	await rentty.press('\t', '\t', '\r', '.', '1', '\r');
	await rentty.client.templates.edit(rentty.hash, {image: 'b/torch'});
	await rentty.press('\u001B[F', 'k', 'k', '\r');
	const asked = await rentty.sees('SAVE TEMPLATE');
	expect(asked).toMatch(/Elsewhere +image: a\/torch is now b\/torch/);
	expect((await rentty.find('torch'))?.tag).toBe('2.6');
	rentty.read();
	await rentty.press('y');
	await rentty.sees('Saved. Its hash is ..');
	expect(await rentty.find('torch')).toMatchObject({tag: '2.6.1', image: 'b/torch'});
});

test('leaving a form with changes asks, on every way out', async () => {
	await using rentty = await openTemplates();
	await rentty.press('n');
	await rentty.sees('Templates > new');
	await rentty.press('\r', 'x', '\r', '\u001B[F');
	for (const key of [ESC, 'q', '\u0003', '3']) {
		await rentty.press(key);
		await rentty.sees('DISCARD DRAFT');
		rentty.read();
		await rentty.press('n');
		await rentty.sees('1 change, not saved');
	}
	await rentty.press('2');
	await rentty.sees('[2 Instances]');
	await rentty.press('\u0003');
	await rentty.sees('Not left: a template has 1 change, not saved.');
	await rentty.press('3');
	await rentty.sees('1 change, not saved');
	await rentty.press('q');
	await rentty.sees('DISCARD DRAFT');
	rentty.read();
	await rentty.press('y');
	await rentty.sees('torch   private');
});

test('a new template lacks nothing that is required before it is sent', async () => {
	await using rentty = await openTemplates();
	await rentty.press('n');
	await rentty.sees('Templates > new');
	await rentty.press('\r', 'm', 'e', '\r', '\u001B[F', 'k', '\r');
	await rentty.sees('Nothing was sent. image: required.');
	await rentty.press('\r', 'c', '/', 'd', '\r', '\u001B[F', 'k', '\r');
	await rentty.sees('Saved. Its hash is');
	expect(await rentty.find('me')).toMatchObject({image: 'c/d', tag: 'latest', runtype: 'args'});
});

test('a copy has a name of its own, and all the rest', async () => {
	await using rentty = await openTemplates();
	await rentty.press('N');
	await rentty.sees('torch copy');
	await rentty.press('\u001B[F', 'k', '\r');
	await rentty.sees('Saved. Its hash is');
	expect(await rentty.find('torch copy')).toMatchObject({tag: '2.6', env: '-e TZ=UTC'});
});

test('variables and ports are typed as rows, and sent as Docker flags', async () => {
	await using rentty = await openTemplates();
	await rentty.press('e');
	await rentty.sees('> name');
	await rentty.press('\t\t\t\t\t\t', '\r');
	await rentty.sees('variable  TZ=UTC');
	await rentty.press('n', '-p 80:80', '\r', 'n', 'A=b c', '\r');
	await rentty.sees('As Docker flags:  -e TZ=UTC -p 80:80 -e A="b c"');
	await rentty.press(ESC);
	await rentty.sees('3: TZ -p 80:80 A');
	await rentty.press('\u001B[F', 'k', 'k', '\r');
	await rentty.sees('Saved');
	expect((await rentty.find('torch'))?.env).toBe('-e TZ=UTC -p 80:80 -e A="b c"');
});

test('onstart is written in the editor of the user', async () => {
	const seen: string[] = [];
	const run: RunOutside = async ({program, args}) => {
		const path = args.at(-1) ?? '';
		seen.push(`${program} ${readFileSync(path, 'utf8')}`);
		writeFileSync(path, 'cd /x\nls\n');
		return {kind: 'ended', code: 0};
	};
	await using rentty = await openTemplates({run, environment: {LANG: 'C', EDITOR: 'ed'}});
	await rentty.press('e');
	await rentty.sees('> name');
	await rentty.press('\t\t\t\t\t\t\t', '\u0005');
	await rentty.sees('8 of 4048');
	await rentty.press('\u001B[F', 'k', 'k', '\r');
	await rentty.sees('Saved');
	expect(seen).toEqual(['ed ']);
	expect((await rentty.find('torch'))?.onstart).toBe('cd /x\nls');
});

test('a template is deleted when its name was typed, and not before', async () => {
	await using rentty = await openTemplates();
	await rentty.press('x');
	await rentty.sees('DELETE TEMPLATE');
	rentty.read();
	await rentty.press('y', '\t', '\r');
	await rentty.sees('"y" is not "delete": nothing was deleted.');
	await rentty.press('\u0015', 'torch', '\r');
	await rentty.sees('Template torch is deleted.');
	expect(await rentty.find('torch')).toBeUndefined();
	await rentty.sees('There are no templates yet.');
});

test('a deletion that is agreed to again before its answer is sent once', async () => {
	await using rentty = await openTemplates();
	await rentty.press('x');
	await rentty.sees('DELETE TEMPLATE');
	rentty.read();
	const answer = createGate();
	rentty.proxy.next({method: 'DELETE'}, delayed(answer.opened));
	await rentty.press('torch', '\r', '\r');
	answer.open();
	await rentty.sees('Template torch is deleted.');
	expect(rentty.proxy.requests.filter(({method}) => method === 'DELETE')).toHaveLength(1);
});

test('a template that is edited elsewhere while its deletion is asked about is asked about anew', async () => {
	await using rentty = await openTemplates();
	await rentty.client.templates.edit(rentty.hash, {tag: '3'});
	await rentty.press('x');
	await rentty.sees('CHANGED torch was version');
	expect(await rentty.find('torch')).toBeDefined();
});

test('a filter is sent to the service, and words without a field look through what came', async () => {
	await using rentty = await openTemplates();
	await rentty.client.templates.create({name: 'vllm', image: 'v/llm', recommended_disk_space: 64});
	await rentty.press('R');
	await rentty.sees('2 templates');
	await rentty.press('/', 'recommended_disk_space>=60', '\r');
	expect(await rentty.sees(/1 template$/m)).toContain('vllm');
	await rentty.press('/', '\u0015', 'torch mine', '\r');
	expect(await rentty.sees('filter> torch mine')).not.toContain('vllm');
	await rentty.press('/', '\u0015', 'speed>3', '\r');
	await rentty.sees('speed>3: speed is not a field');
});

test('templates of others are not changed, but copied', async () => {
	await using market = await openTestMarket({offers: 1});
	await using rentty = openTestConsole({service: market});
	rentty.type('3');
	await rentty.sees('PyTorch   public');
	rentty.type('e');
	await rentty.sees('Not now: it is not yours; N makes a copy that is.');
	rentty.type('x');
	await rentty.sees('Not now: it is not yours');
});

test('whatever a template says, it cannot command the terminal', async () => {
	await using rentty = await openTemplates();
	const evil = '\u001B]0;evil\u0007\u001B[2J';
	await rentty.client.templates.create({
		name: `b${evil}`,
		image: `i${evil}`,
		tag: `t${evil}`,
		env: `-e A=${evil}`,
		onstart: `ls ${evil}`,
		readme: `r${evil}`,
		desc: evil,
	});
	await rentty.press('R');
	await rentty.sees('2 templates');
	await rentty.press('j', '\r');
	await rentty.sees('line 1 of');
	await rentty.press('e');
	await rentty.sees('> name');
	await rentty.press('\t\t\t\t\t\t', '\r');
	await rentty.sees('variable');
	await rentty.press(ESC);
	await rentty.sees('> env');
	await rentty.press(ESC);
	await rentty.sees('line 1 of');
	await rentty.press('x');
	await rentty.sees('DELETE TEMPLATE');
	expect(rentty.written()).not.toContain(']0;evil\u0007');
	expect(rentty.written()).not.toContain('\u001B]0;evil');
});

test('what is typed in one burst with the Enter that opens a field goes into the field', async () => {
	await using rentty = await openTemplates();
	await rentty.press('e');
	await rentty.sees('> name');
	rentty.type('\rqux');
	await rentty.sees('torchqux_');
	await rentty.press(ESC);
	await rentty.sees('> name            torch ');
});

test('b makes a template the usual one, which the list says, and again no longer', async () => {
	await using rentty = await openTemplates({isUsual: false});
	await rentty.press('b');
	await rentty.sees('torch is your usual template');
	expect(await rentty.sees('your usual one')).toMatch(
		/torch {3}private {3}\.\.\w{4} {3}your usual one/,
	);
	expect(rentty.settings.get().templateHash).toBe(rentty.hash);
	await rentty.press('b');
	await rentty.sees('torch is no longer your usual template');
	expect(rentty.settings.get().templateHash).toBeNull();
});

test('a usual template that was edited elsewhere is said to be gone under its hash', async () => {
	await using rentty = await openTemplates();
	await rentty.client.templates.edit(rentty.hash, {tag: '3'});
	await rentty.press('R');
	await rentty.sees(`your usual ..${rentty.hash.slice(-4)} is gone or edited`);
});

test('the filter line names the fields that fit, and Tab completes them', async () => {
	await using rentty = await openTemplates();
	await rentty.press('/rec');
	await rentty.sees('fields (Tab): recommended recommended_disk_space recent_create_date');
	await rentty.press('o\t_\t');
	await rentty.sees('filter> recommended_disk_space_');
	await rentty.sees('then = != < <= > >= in notin');
	await rentty.press('>=4\r');
	await rentty.sees('filter> recommended_disk_space>=4');
});
