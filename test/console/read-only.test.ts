import {expect, test} from 'vitest';
import {reach, type Binding} from '../../source/console/ui/bindings.ts';
import {namedSets} from '../../source/console/app/chosen-keys.ts';
import {
	type CustomCommand,
	defaultSettings,
} from '../../source/renter/settings/default-settings.ts';
import {createKeymap} from '../../source/console/ui/keymap.ts';
import {createSettingsStore} from '../helpers/settings-store.ts';
import {openTestConsole} from '../helpers/console/console.ts';
import {openFleetMarket} from '../helpers/fleet/fleet.ts';
import {openProfiles} from '../helpers/console/profiles.ts';

const REASON = 'this profile is read-only';
/** The same on the screen, where it may go on in the next line. */
const SEEN = /this\s+profile\s+is\s+read-only/;

const all = namedSets.flatMap(({title, bindings}) =>
	bindings.map(binding => ({set: title, ...binding})),
);

test('what opens or confirms a change is refused in read-only profiles, but for these', () => {
	const kept = all.filter(({isChange, changesService}) => isChange === true && !changesService);
	expect(kept.map(({set, title}) => `${set}: ${title}`)).toEqual(
		[
			// They change something on this machine alone.
			'Saved: remove it from the list',
			'Instances: give it a name for ssh, scp, rsync and editors',
			'Views: remove the view',
			'Templates: say when what is rented with it ends by itself',
			'Template: say when what is rented with it ends by itself',
			'Instance: give it a name for ssh, scp, rsync and editors',
			'Activity: refuse the rent that an agent asks for; it asks, and shows the quote',
			'Profiles: use this profile: everything is opened anew on its service',
			'Profiles: remove the profile; it asks',
			'Checked key: keep the profile and open it',
			// They are reached only through what is refused, or confirm what is not.
			'Key shown once: leave it: it is not shown again',
			'Rent: the offer is gone: review the next equal offer',
			'Input: send it',
			'Command line: send it',
			'Command: stop it where it runs; it asks',
			'Room for a volume: review a volume here; nothing is charged before y',
			'Form: edit the field, or press the button',
			'Question: yes',
			'Question: press the button with the cursor',
			'Question answered by typing: press the button with the cursor',
			'Question of which some can be left out: yes',
			'Question of which some can be left out: press the button with the cursor',
			'The same, answered by typing: press the button with the cursor',
		].toSorted(byPlace(kept.map(({set, title}) => `${set}: ${title}`))),
	);
});

/** Orders texts as a list has them; those that it has not come last. */
function byPlace(list: readonly string[]) {
	const place = (text: string) => (list.includes(text) ? list.indexOf(text) : list.length);
	return (a: string, b: string) => place(a) - place(b);
}

test('every key that changes the service is refused with the reason, and not hinted', () => {
	const changing = namedSets.map(({title, bindings}) => ({
		title,
		bindings: bindings.filter(({changesService}) => changesService === true),
	}));
	for (const {title, bindings} of changing) {
		for (const binding of bindings) {
			const keymap = createKeymap(REASON);
			const target = {
				fail(): void {
					throw new Error(`${title}: ${binding.title} ran`);
				},
			};
			const own: Binding<typeof target> = {...binding, run: one => one.fail()};
			keymap.enter({
				title,
				depth: 1,
				isModal: false,
				onText: undefined,
				bindings: () => reach([own], target),
			});
			for (const key of binding.keys) {
				expect(keymap.press(key)).toMatchObject({kind: 'unavailable', reason: REASON});
			}
			const [shown] = keymap.reachable()[0]?.bindings ?? [];
			expect([shown?.hint, shown?.unavailable()]).toEqual([undefined, REASON]);
		}
	}
	expect(changing.flatMap(({bindings}) => bindings).length).toBeGreaterThan(20);
});

const restart: CustomCommand = {
	name: 'restart it my way',
	key: 'K',
	screen: 'instances',
	command: ['restart', '{id}'],
	runs: 'aside',
	asks: true,
};

test('keys, palette and custom commands leave a read-only fleet as it is', async () => {
	await using market = await openFleetMarket();
	using user = openProfiles(() => [
		{name: 'watch', url: market.url, 'key-file': '/keys/watch', mode: 'read-only'},
	]);
	let hasRun = false;
	await using rentty = openTestConsole({
		service: market,
		switcher: user.switcher,
		settings: createSettingsStore({...defaultSettings, commands: [restart]}),
		async run() {
			hasRun = true;
			return {kind: 'ended', code: 0};
		},
	});
	await rentty.sees(/x 1\b/);
	rentty.type('2');
	await rentty.sees('> ');
	for (const key of ['x', 'X', 'S', 'e', 'r', 'K']) {
		rentty.type(key);
		await rentty.sees(SEEN);
		rentty.type('j');
		await expect.poll(rentty.shown).not.toMatch(SEEN);
	}
	rentty.type(':');
	await rentty.sees('command');
	rentty.type('destroy');
	await rentty.sees(/> destroy .*\[this profile/);
	rentty.type('\r');
	await rentty.sees(SEEN);
	expect(hasRun).toBe(false);
	const changed = await market.database
		.selectFrom('instances')
		.select('id')
		.where('destroyed_at', 'is not', null)
		.execute();
	expect(changed).toEqual([]);
});
