import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createShownSecrets, type ShownSecret} from '../../source/console/services/shown-secrets.ts';
import {openFolder} from '../helpers/folder.ts';

const secretOf = (name: string, more: Partial<ShownSecret> = {}): ShownSecret => ({
	title: name,
	secret: `secret of ${name}`,
	lines: [],
	fileName: name,
	...more,
});

/** Secrets on a clock that is moved by hand. */
function openSecrets({home = '/nowhere', longest = 1000} = {}) {
	let nowMs = 0;
	const clipped: string[] = [];
	const secrets = createShownSecrets({
		clipboard(text) {
			if (text.length <= longest) clipped.push(text);
			return text.length <= longest;
		},
		home,
		service: 'prod',
		moment: () => ({nowMs, linkMs: 40}),
	});
	const present = () => {
		const shown = secrets.shown.get();
		if (shown === undefined) throw new Error('nothing is shown');
		return shown;
	};
	return {
		...secrets,
		clipped,
		present,
		title: () => secrets.shown.get()?.title,
		said: () => present().view.get().notice?.text,
		/** For as long as it takes to read. */
		read: () => void (nowMs += 540),
		soon: () => void (nowMs += 539),
	};
}

test('secrets are shown one after the other, each for as long as it takes to read it', () => {
	const secrets = openSecrets();
	secrets.show(secretOf('a'));
	secrets.show(secretOf('b', {isSafe: true}));
	secrets.show(secretOf('c'));
	expect([secrets.title(), secrets.present().more]).toEqual(['a', 2]);
	secrets.soon();
	secrets.present().target.leave();
	expect(secrets.present().view.get().isWarned).toBe(false);
	secrets.read();
	secrets.present().target.leave();
	expect([secrets.title(), secrets.present().view.get().isWarned]).toEqual(['a', true]);
	secrets.read();
	secrets.present().target.leave();
	// What somebody has is left without a warning, but not before it could be seen.
	secrets.present().target.leave();
	expect([secrets.title(), secrets.present().more]).toEqual(['b', 1]);
	secrets.read();
	secrets.present().target.leave();
	expect([secrets.title(), secrets.present().more]).toEqual(['c', 0]);
	secrets.read();
	secrets.present().target.copy();
	secrets.present().target.leave();
	expect([secrets.title(), secrets.clipped]).toEqual([undefined, ['secret of c']]);
});

test('one that comes later does not touch what was done about the first', () => {
	const secrets = openSecrets();
	secrets.show(secretOf('a'));
	secrets.read();
	secrets.present().target.name();
	secrets.show(secretOf('a'));
	expect(secrets.present().view.get().isNaming).toBe(true);
	expect(secrets.present().more).toBe(1);
});

test('what follows upon one waits until none is left that would be lost', () => {
	const secrets = openSecrets();
	const calls: string[] = [];
	secrets.show(secretOf('a', {isSafe: true, onLeft: () => calls.push(`a, ${secrets.title()}`)}));
	secrets.show(secretOf('b', {isSafe: true}));
	secrets.read();
	secrets.present().target.leave();
	expect(calls).toEqual([]);
	secrets.read();
	secrets.present().target.leave();
	expect(calls).toEqual(['a, undefined']);
});

test('what the clipboard does not take counts as not copied', () => {
	const secrets = openSecrets({longest: 3});
	secrets.show(secretOf('a'));
	secrets.read();
	secrets.present().target.copy();
	expect(secrets.said()).toContain('Not copied');
	secrets.present().target.leave();
	expect(secrets.present().view.get().isWarned).toBe(true);
});

test('a file is written once, however often it is asked for, and failing leaves the secret there', async () => {
	using folder = openFolder();
	const secrets = openSecrets({home: folder.path});
	secrets.show(secretOf('a'));
	secrets.read();
	const {target, view} = secrets.present();
	target.name();
	expect(view.get().line.text).toBe('~/rentty-keys/prod-a');
	target.keep();
	target.keep();
	target.back();
	await expect.poll(secrets.said).toContain('It is kept in');
	const file = join(folder.path, 'rentty-keys', 'prod-a');
	expect(readFileSync(file, 'utf8')).toBe('secret of a\n');
	target.name();
	view.set({...view.get(), line: {text: `${file}/below`, cursor: 0}});
	target.keep();
	await expect.poll(secrets.said).toContain('a part of that path is a file');
	expect(view.get().isNaming).toBe(true);
	expect(existsSync(`${file}-2`)).toBe(false);
});
