import {expect, test} from 'vitest';
import {openKeys} from './keys/open-keys.ts';
import {openScreen} from './profiles/open-screen.ts';
import {openTorch} from './rent/open-rent.ts';
import {openTemplates} from './templates/open-templates.ts';

const printable = Array.from({length: 95}, (_, index) => String.fromCharCode(0x20 + index));

type Shown = {
	readonly type: (bytes: string) => void;
	readonly shown: () => Promise<string>;
	readonly sees: (what: string | RegExp) => Promise<string>;
};

/** Types keys one after the other, each when the one before was seen to. */
async function press(rentty: Shown, keys: readonly string[]): Promise<void> {
	for (const key of keys) {
		rentty.type(key);
		for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve));
	}
}

const rowOf = (frame: string) => /^> +(\w\S*(?: \w\S*)?)/m.exec(frame)?.[1];

/** Types every printable character into every field of the form that is shown, from its first one. */
async function typeEverywhere(rentty: Shown, title: string): Promise<readonly string[]> {
	const fields: string[] = [];
	for (;;) {
		const before = await rentty.sees(title);
		const row = rowOf(before);
		if (row === undefined || fields.includes(row)) return fields;
		fields.push(row);
		await press(rentty, printable);
		const after = await rentty.shown();
		expect(after, `after typing into ${row}`).toContain(title);
		expect(rowOf(after)).toBe(row);
		if (after.includes('take it')) {
			rentty.type('\u001B');
			await rentty.sees(/^(?![^]*take it)/);
		}
		await press(rentty, ['\t']);
	}
}

for (const [columns, rows] of [
	[80, 24],
	[140, 40],
] as const) {
	test(`what is typed into a field of a profile is text, at ${columns}x${rows}`, async () => {
		await using profiles = await openScreen({columns, rows});
		await press(profiles, ['n']);
		await profiles.sees('Profiles > new');
		await press(profiles, ['\t', '\t', ...'localhost:8761'.split('')]);
		expect(await profiles.sees(/> server +localhost:8761_/)).toContain('Enter take it');
		await press(profiles, ['\u001B[H', ...'http://'.split(''), '\r']);
		const taken = await profiles.sees(/> server +http:\/\/localhost:8761 /);
		expect(taken).toContain('Profiles > new');
		expect(taken).not.toMatch(/\? help|q |a actions/);
	});

	test(`an image is typed over the one of the template, at ${columns}x${rows}`, async () => {
		await using templates = await openTemplates({columns, rows});
		await press(templates, ['e']);
		await templates.sees('Templates > edit torch');
		await press(templates, ['\t', ...'ubuntu:24.04'.split('')]);
		await templates.sees(/> image +ubuntu:24\.04_/);
		templates.type('\u001B');
		await templates.sees(/> image +a\/torch /);
	});
}

test('no printable key runs a command from a field of the profile form', async () => {
	await using profiles = await openScreen();
	await press(profiles, ['n']);
	expect(await typeEverywhere(profiles, 'Profiles > new')).toContain('server');
});

test('no printable key runs a command from a field of the template form', async () => {
	await using templates = await openTemplates();
	await press(templates, ['e']);
	await templates.sees('Templates > edit torch');
	expect(await typeEverywhere(templates, 'Templates > edit torch')).toContain('image');
});

test('no printable key runs a command from a field of the rent form', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await press(rentty, ['\u001B[H']);
	expect(await typeEverywhere(rentty, 'Rent > ')).toContain('image');
});

test('letters on a button of the form leave it not, and reach no command of the console', async () => {
	await using rentty = await openTorch();
	await rentty.openForm();
	await press(rentty, 'xaqAZw'.split(''));
	expect(await rentty.sees(/> \[ Review and rent/)).toMatch(/Rent > /);
	await press(rentty, ['\u001B']);
	await rentty.sees('1 of ');
});

test('no printable key runs a command from a field of the form for an API key', async () => {
	await using rentty = await openKeys();
	await rentty.add();
	await press(rentty, ['j', '\r']);
	expect(await typeEverywhere(rentty, 'Keys > new API key')).toContain('name');
});

test('a paste into the field with the cursor takes the place of its value', async () => {
	await using templates = await openTemplates();
	await press(templates, ['e']);
	await templates.sees('Templates > edit torch');
	await press(templates, ['\t', '\u001B[200~ubuntu:24.04\u001B[201~']);
	await templates.sees(/> image +ubuntu:24\.04_/);
});
