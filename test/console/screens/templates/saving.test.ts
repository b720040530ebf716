import {expect, test} from 'vitest';
import {answered, createGate, delayed} from '../../../helpers/services/faults.ts';
import {openTemplates} from './open-templates.ts';

for (const [columns, rows] of [
	[80, 24],
	[140, 40],
] as const) {
	test(`what cannot be rented is not saved, and the cursor goes to what is, at ${columns}x${rows}`, async () => {
		await using rentty = await openTemplates({columns, rows});
		await rentty.press('n');
		await rentty.sees('Templates > new');
		await rentty.press('other\tbad image name!!\t');
		await rentty.sees(/bad image name!!_ .*expected a name of an image/);
		await rentty.press('\u0015b/other:1\t\t\t\t', '3\t');
		await rentty.sees(/3_ .*expected at least 8 GB/);
		await rentty.press('\u001530\r', '\u001B[F', '\u001B[Z', '\r');
		await rentty.sees('Saved. Its hash is');
		expect(await rentty.sees(/^> +other/m)).toMatch(/^ +torch/m);
		expect(await rentty.find('other')).toMatchObject({recommended_disk_space: 30});
	});
}

for (const [name, key, shown] of [
	['the account over it', '$', 'WHAT IT WAS FOR'],
	['another tab', '1', 'what do you need?'],
] as const) {
	test(`what is saved while ${name} is looked at leaves that alone, and is no draft any more`, async () => {
		await using rentty = await openTemplates();
		await rentty.press('e');
		await rentty.sees('> name');
		await rentty.press('\t', '\t', '\r', '.', '1', '\r', '\u001B[F', 'k', 'k');
		const answer = createGate();
		rentty.proxy.next({method: 'PUT'}, delayed(answer.opened));
		await rentty.press('\r');
		await rentty.sees('Saving');
		await rentty.press(key);
		await rentty.sees(shown);
		answer.open();
		expect(await rentty.sees('Saved. Its hash is ..')).toContain(shown);
		rentty.read();
		await rentty.press(key === '$' ? 'q' : '3');
		expect(await rentty.sees('torch   private')).not.toContain('not saved');
	});
}

test.each([
	['edited', 'e', '\t\t\r.1\r\u001B[Fkk', 'torch'],
	['made', 'N', '\u001B[Fk', 'torch copy'],
])(
	'what is typed while a template is %s is kept, and is saved by the next save',
	async (_, key, keys, name) => {
		await using rentty = await openTemplates();
		await rentty.press(key);
		await rentty.sees('> name');
		await rentty.press(keys);
		const answer = createGate();
		rentty.proxy.next(
			{method: key === 'e' ? 'PUT' : 'POST', path: /template/},
			delayed(answer.opened),
		);
		await rentty.press('\r');
		await rentty.sees('Saving');
		await rentty.press('\u001B[H', '\t', '\r', '2', '\r');
		await rentty.sees('a/torch2');
		answer.open();
		expect(await rentty.sees('Saved. Its hash is ..')).toContain('1 change, not saved');
		await rentty.press('\u001B[F', 'k', 'k', '\r');
		await rentty.sees('a/torch2:2.6');
		expect(await rentty.find(name)).toMatchObject({image: 'a/torch2'});
	},
);

test('what is being typed as a save is refused is typed on', async () => {
	await using rentty = await openTemplates();
	await rentty.press('e');
	await rentty.sees('> name');
	await rentty.press('\t\t\r.1\r\u001B[Fkk');
	const answer = createGate();
	const refused = answered({status: 400, body: {error: 'invalid_args', msg: 'tag: not that one'}});
	rentty.proxy.next({method: 'PUT'}, async exchange => {
		await answer.opened;
		await refused(exchange);
	});
	await rentty.press('\r');
	await rentty.sees('Saving');
	await rentty.press('\u001B[H', '\t', '\r', '2');
	answer.open();
	await rentty.sees('What you typed is kept.');
	await rentty.press('3', '\r');
	await rentty.sees('a/torch23');
});

test('a template that is left while it is saved is not sent twice', async () => {
	await using rentty = await openTemplates();
	await rentty.press('N');
	await rentty.sees('> name');
	await rentty.press('\u001B[Fk');
	const answer = createGate();
	rentty.proxy.next({method: 'POST', path: /template/}, delayed(answer.opened));
	await rentty.press('\r');
	await rentty.sees('Saving');
	await rentty.press('1');
	await rentty.sees('what do you need?');
	await rentty.press('3');
	await rentty.sees('Templates > new');
	await rentty.press('\r');
	await rentty.sees('It is being saved already.');
	answer.open();
	await rentty.sees('Saved. Its hash is ..');
	const sent = rentty.proxy.requests.filter(
		({method, path}) => method === 'POST' && path.includes('template'),
	);
	expect(sent).toHaveLength(1);
});

test('changes from elsewhere that are found while another tab is shown are asked about on coming back', async () => {
	await using rentty = await openTemplates();
	await rentty.press('e');
	await rentty.sees('> name');
	await rentty.press('\t\t\r.1\r\u001B[Fkk');
	await rentty.client.templates.edit(rentty.hash, {image: 'b/torch'});
	const answer = createGate();
	rentty.proxy.next({path: /template/}, delayed(answer.opened));
	await rentty.press('\r');
	await rentty.sees('Saving');
	await rentty.press('1');
	await rentty.sees('what do you need?');
	answer.open();
	await rentty.sees('Not saved: torch was changed elsewhere. Its form asks what to do.');
	await rentty.press('3');
	expect(await rentty.sees('SAVE TEMPLATE')).toContain('image: a/torch is now b/torch');
});
