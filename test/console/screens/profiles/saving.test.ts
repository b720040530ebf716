import {expect, test} from 'vitest';
import {leaveDraft} from '../../../helpers/console/draft.ts';
import {openProfileBook} from '../../../../source/renter/profiles/profile-file.ts';
import {openFaultProxy} from '../../../helpers/services/fault-proxy.ts';
import {createGate, delayed} from '../../../helpers/services/faults.ts';
import {openScreen} from './open-screen.ts';

type Shown = Pick<Awaited<ReturnType<typeof openScreen>>, 'type' | 'sees' | 'shown'>;

async function press({type, sees}: Shown, button: string): Promise<void> {
	type('\u001B[F');
	await sees('> [ Save unchecked ]');
	if (!button.includes('Save')) {
		type('k');
		await sees(`> ${button}`);
	}
	type('\r');
}

/** Fills in the form of a new profile `fresh`. */
async function fillNew(profiles: Shown, {url, key}: {readonly url: string; readonly key: string}) {
	profiles.type('n');
	await profiles.sees('rentty needs an API key');
	for (const [label, text] of [
		['pasted key', key],
		['server', url],
		['name', 'fresh'],
	] as const) {
		profiles.type('\t');
		await profiles.sees(`> ${label}`);
		profiles.type('\r');
		await profiles.sees('take it');
		profiles.type(`\u0015${text}\r`);
		await expect.poll(profiles.shown).not.toContain('take it');
	}
}

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
		save: async () => press(profiles, '[ Save unchecked ]'),
		check: async () => press(profiles, '[ Check the key'),
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
	await profiles.check();
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

test('a new profile that was kept is opened by the second Enter where a draft would be lost', async () => {
	await using profiles = await openScreen();
	await leaveDraft(profiles, '6');
	await profiles.sees('> prod');
	await fillNew(profiles, profiles.market);
	await press(profiles, '[ Check the key');
	await profiles.sees('WHAT THE KEY CAN DO');
	profiles.readOn();
	profiles.type('\r');
	await profiles.sees(/Not left: .*Again\s+leaves all the same/);
	profiles.type('\r');
	await expect.poll(profiles.user.opened).toMatchObject([{profile: {name: 'fresh'}}]);
});

test('a check of a key that is answered while another tab is shown is shown on coming back', async () => {
	await using profiles = await openForm();
	const answer = createGate();
	profiles.proxy.next({}, delayed(answer.opened));
	await profiles.check();
	await profiles.sees('Asking the service');
	profiles.type('1');
	await profiles.sees('[1 Offers]');
	answer.open();
	await profiles.sees('The key of prod is checked: its form shows what it can do.');
	profiles.type('6');
	await profiles.sees('WHAT THE KEY CAN DO');
	profiles.readOn();
	profiles.type('\r');
	await expect.poll(profiles.user.opened).toMatchObject([{profile: {name: 'prod'}}]);
});

test('a key that was pressed before the result of a check was seen keeps nothing', async () => {
	await using profiles = await openForm();
	await profiles.rename('uction');
	await profiles.check();
	await profiles.sees('WHAT THE KEY CAN DO');
	profiles.type('\r');
	await profiles.sees('Keys typed before this was read were dropped (1).');
	expect(profiles.user.book.profiles.get()[0]?.name).toBe('prod');
	profiles.readOn();
	profiles.type('\r');
	await expect.poll(profiles.user.opened).toMatchObject([{profile: {name: 'production'}}]);
});

test('a profile that another window has removed meanwhile is made anew only by saving it again', async () => {
	await using profiles = await openForm();
	const {beside, user} = profiles;
	await profiles.rename('uction');
	beside.remove('prod');
	await profiles.save();
	await profiles.sees(/Not kept: prod was removed in another window/);
	const names = () => user.book.profiles.get().map(({name}) => name);
	user.book.reread();
	expect(names()).toEqual(['watch', 'staging']);
	profiles.type('\r');
	await expect.poll(names).toContain('production');
});
