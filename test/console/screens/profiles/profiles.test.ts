import {expect, test} from 'vitest';
import {leaveDraft} from '../../../helpers/console/draft.ts';
import {openProfileBook} from '../../../../source/renter/profiles/profile-file.ts';
import {openScreen} from './open-screen.ts';

test('Enter opens another profile anew, and not the one that is in use', async () => {
	await using profiles = await openScreen();
	profiles.type('\r');
	await profiles.sees(/it is the\s+one that is in use/);
	profiles.type('j');
	await profiles.sees('> watch');
	profiles.type('\r');
	await expect.poll(profiles.user.opened).toMatchObject([{profile: {name: 'watch'}}]);
	expect(profiles.user.book.chosen()).toBe('watch');
});

test('a profile is opened as another window left it', async () => {
	await using profiles = await openScreen();
	const {book, home, opened} = profiles.user;
	const staging = book.profiles.get().find(({name}) => name === 'staging');
	const beside = openProfileBook({settings: `${home}/settings`, state: `${home}/state`});
	if (staging !== undefined) beside.save({...staging, mode: 'read-only'}, 'staging');
	profiles.type('jj');
	await profiles.sees('> staging');
	profiles.type('\r');
	await expect.poll(opened).toMatchObject([{profile: {name: 'staging', mode: 'read-only'}}]);
	beside.remove('watch');
	profiles.type('1');
	await profiles.sees('[1 Offers]');
	profiles.type('6');
	await expect.poll(profiles.shown).not.toContain('watch');
});

test('the practice market says where it keeps its files', async () => {
	await using profiles = await openScreen({environment: {HOME: '/home/of/user'}});
	expect(await profiles.shown()).not.toContain('~/practice');
	profiles.type('G');
	expect(await profiles.sees('> practice')).toContain(
		'Its files are in ~/practice; rentty practice reset removes them.',
	);
});

test('a draft is not lost by opening another service: that is said first', async () => {
	await using profiles = await openScreen();
	await leaveDraft(profiles, '6');
	await profiles.sees('> prod');
	profiles.type('j');
	await profiles.sees('> watch');
	profiles.type('\r');
	await profiles.sees(/Not left: .*Again\s+leaves all the same/);
	expect(profiles.user.opened()).toEqual([]);
	profiles.type('\r');
	await expect.poll(profiles.user.opened).toMatchObject([{profile: {name: 'watch'}}]);
});

test('a profile is removed after a review, which says what becomes of its key', async () => {
	await using profiles = await openScreen();
	profiles.type('jj');
	await profiles.sees('> staging');
	profiles.type('x');
	expect(await profiles.sees('REMOVE PROFILE')).toContain('It is kept where it is.');
	profiles.readOn();
	profiles.type('y');
	await profiles.sees('Profile staging is removed.');
	expect(profiles.user.book.profiles.get().map(({name}) => name)).toEqual(['prod', 'watch']);
});

test('a form that was changed is left only after a question, also by the key of its tab', async () => {
	await using profiles = await openScreen();
	profiles.type('e');
	await profiles.sees('Profiles > prod');
	profiles.type('\u001B[F');
	await profiles.sees('Save unchecked');
	profiles.type('6');
	await profiles.sees('CONNECTION');
	profiles.type('e');
	await profiles.sees('Profiles > prod');
	profiles.type('\t\t\t');
	await profiles.sees('> name');
	profiles.type('\r');
	await profiles.sees('take it');
	profiles.type('uction\r');
	await profiles.sees('production');
	profiles.type('\u001B[F');
	await profiles.sees('> [ Save');
	for (const key of ['6', '\u001B', 'q']) {
		profiles.type(key);
		await profiles.sees('DISCARD DRAFT');
		profiles.readOn();
		profiles.type('n');
		await profiles.sees('production');
	}
	expect(profiles.user.book.profiles.get()[0]?.name).toBe('prod');
});
