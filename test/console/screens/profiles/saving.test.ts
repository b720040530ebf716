import {expect, test} from 'vitest';
import {openProfileBook} from '../../../../source/renter/profiles/profile-file.ts';
import {openFaultProxy} from '../../../helpers/fault-proxy.ts';
import {createGate, delayed} from '../../../helpers/faults.ts';
import {openScreen} from './open-screen.ts';

/** The form of the profile `prod`, with the cursor on its name. */
async function openForm() {
	const profiles = await openScreen();
	const {book, home} = profiles.user;
	const prod = book.profiles.get().find(({name}) => name === 'prod');
	if (prod === undefined) throw new Error('there is no such profile');
	const proxy = await openFaultProxy(profiles.market.url);
	book.save({...prod, url: proxy.url}, 'prod');
	profiles.type('e');
	await profiles.sees('Profiles > prod');
	profiles.type('\t\t\t');
	await profiles.sees('> name');
	return {
		...profiles,
		proxy,
		prod,
		/** The profiles as another window has them. */
		beside: openProfileBook({settings: `${home}/settings`, state: `${home}/state`}),
		async rename(ending: string) {
			profiles.type('\r');
			await profiles.sees('take it');
			profiles.type(`${ending}\r`);
			await profiles.sees(`prod${ending} `);
		},
		async save() {
			profiles.type('\u001B[F');
			await profiles.sees('> [ Save unchecked ]');
			profiles.type('\r');
		},
		async [Symbol.asyncDispose]() {
			await profiles[Symbol.asyncDispose]();
			await proxy.close();
		},
	};
}

test('what was changed while a key was checked is not kept by the answer', async () => {
	await using profiles = await openForm();
	const answer = createGate();
	profiles.proxy.next({}, delayed(answer.opened));
	profiles.type('\u001B[F');
	await profiles.sees('> [ Save unchecked ]');
	profiles.type('k');
	await profiles.sees('> [ Check the key');
	profiles.type('\r');
	await profiles.sees('Asking the service');
	profiles.type('\u001B[H\t\t\t');
	await profiles.sees('> name');
	await profiles.rename('uction');
	answer.open();
	await profiles.sees('Not kept: what was checked was changed meanwhile.');
	profiles.type('\u001B[F');
	await profiles.sees('> [ Save unchecked ]');
	expect(profiles.user.opened()).toEqual([]);
});

test('leaving says first that a changed profile is lost', async () => {
	await using profiles = await openForm();
	await profiles.rename('uction');
	profiles.type('\u001B[F');
	await profiles.sees('> [ Save unchecked ]');
	profiles.type('1');
	await profiles.sees('[1 Offers]');
	profiles.type('\u0003');
	await profiles.sees('Not left: a profile has 1 change, not saved.');
	profiles.type('6');
	await profiles.sees('production');
	await profiles.save();
	await expect.poll(profiles.user.opened).toMatchObject([{profile: {name: 'production'}}]);
});

test('a profile of a name that another window has taken meanwhile is not made', async () => {
	await using profiles = await openForm();
	const {prod, beside, user} = profiles;
	await profiles.rename('2');
	beside.save({...prod, name: 'prod2', mode: 'read-only'}, undefined);
	await profiles.save();
	await profiles.sees('there is a profile of that name already');
	user.book.reread();
	expect(user.book.profiles.get().map(({name}) => name)).toContain('prod');
});

test('what another window has changed of a profile stays when its name is saved', async () => {
	await using profiles = await openForm();
	const {prod, beside, user} = profiles;
	await profiles.rename('uction');
	beside.save({...prod, mode: 'read-only'}, 'prod');
	beside.keepSettings('prod', {diskGb: 99});
	await profiles.save();
	await expect
		.poll(user.opened)
		.toMatchObject([{profile: {name: 'production', mode: 'read-only', settings: {diskGb: 99}}}]);
});
