import {expect, test} from 'vitest';
import {openFleetConsole} from '../helpers/console/fleet-console.ts';
import {openHarmfulService} from '../helpers/services/harmful-service.ts';
import {foreignIn} from '../helpers/console/terminal-bytes.ts';

const [enter, esc, tab, pageDown] = ['\r', '\u001B', '\t', '\u001B[6~'];
/** A minute in which nobody types. */
const later = 'later';
const look = {columns: 200, rows: 60, environment: {LANG: 'C.UTF-8'}};

type Steps = ReadonlyArray<readonly [keys: string, seen: RegExp]>;

/** The foot of a screen, by which it is known that it is there. */
const foot = {
	offers: /Enter detail {2}r rent/,
	compare: /Right pick/,
	rent: /Ctrl-T template/,
	instances: /X sweep/,
	instance: /\] next tab/,
	question: /Tab other button/,
	templates: /Enter view/,
	template: /b usual {2}R refresh/,
	form: /Tab next {2}Enter edit/,
	volumes: /n new {2}x delete/,
} as const;

/** Keys that lead through screens, and what each leads to. */
const tours: Readonly<Record<string, Steps>> = {
	offers: [
		['1', /\n▌.*u�v[^]* 1 of /],
		[pageDown, /u�v[^]* 52 of /],
		[pageDown, /u�v[^]* 66 of /],
		[' ', /1 marked/],
		['k', / 65 of /],
		[' ', /2 marked/],
		['=', /Right pick/],
		[enter, /Offers > 1065 .*u�v/],
		[esc, foot.compare],
		[esc, foot.offers],
		['k', / 65 of /],
		[enter, /Offers > 1065 .*u�v/],
		[pageDown, /Offers > 1065/],
		[esc, foot.offers],
		['/', /filter> _/],
		['u', /filter> u_/],
		[tab, /"u�v/],
		[esc, foot.offers],
		['J', /REQUEST/],
		[esc, foot.offers],
		...[1, 2, 3].map(() => ['i', /u�v/] as const),
	],
	rent: [
		['1', /\n▌.*u�v[^]* 1 of /],
		['r', /Rent > 1001 .*u�v/],
		['i', /template -> result/],
		[esc, foot.rent],
		['\u0014', /Enter take it/],
		['j', /\n▌ u�v/],
		[enter, foot.rent],
		['i', /template -> result/],
		[pageDown, /template -> result/],
		[esc, foot.rent],
		['y', /SECRETS AS/],
	],
	instances: [
		[pageDown, /u�v/],
		...[1, 2, 3, 4].map(() => ['i', /u�v/] as const),
		['z', /z list {2}i next pane/],
		[pageDown, /./],
		[esc, foot.instances],
		['/', /filter> _/],
		['u', /filter> u_/],
		[enter, foot.instances],
		[esc, /filter> {2}/],
		['e', /Label of .*u�v/],
		[esc, foot.instances],
		['x', /DESTROY INSTANCE[^]*u�v/],
		[esc, foot.instances],
		['g', / 1 of 66/],
		// What is offline is swept when it has been so for a while.
		[later, /dead offline +>?11m/],
		['X', /\[ Cancel \]/],
		[esc, foot.instances],
		['*', /66 marked/],
		['x', /DESTROY 66[^]*u�v/],
		[pageDown, /u�v/],
		[esc, foot.instances],
	],
	instance: [
		[enter, /Instances > \d+ u�v/],
		[']', /\[Connect\]/],
		[']', /\[Ports\][^]*u�v/],
		[']', /\[Logs\][^]*u�v/],
		['w', /u�v/],
		['/', /search> _/],
		['u', /search> u_/],
		[enter, /with "u"/],
		['y', /Copied[^]*�/],
		[']', /\[Usage\]/],
		[']', /\[Run\]/],
		[']', /\[Timeline\][^]*u�v/],
		[']', /\[Spec\][^]*u�v/],
		[']', /\[Ends\]/],
		[']', /\[JSON\][^]*"id"/],
		[pageDown, /\\u200b|�/],
	],
	templates: [
		['3', / {2}Templates {2}[^]*\n▌ u�v/],
		[pageDown, /\n▌ u�v/],
		[enter, /Templates > u�v/],
		[pageDown, /u�v/],
		[esc, foot.templates],
		['e', foot.form],
		[esc, foot.templates],
		['N', foot.form],
		[esc, foot.templates],
		['x', foot.question],
		[esc, foot.templates],
		['y', /Copied/],
	],
	keys: [
		['4', / {2}Keys {2}[^]*\n▌ u�v/],
		['x', foot.question],
		[esc, /R re-check/],
		['G', /public half/],
		['x', foot.question],
		[esc, /R re-check/],
		['y', /Copied/],
	],
	account: [
		['$', /u�v[^]*Enter volumes/],
		[tab, /by GPU/],
		[tab, /by day/],
		[tab, /by week/],
		[pageDown, /by week/],
		[enter, /VOLUMES[^]*u�v/],
		[pageDown, /u�v/],
		['x', /Not now: .*u�v/],
		['n', /GB/],
	],
	everywhere: [
		[':', /Enter do it[^]*/],
		['u', /u�v[^]*Enter do it|Enter do it/],
		[esc, foot.instances],
		['?', /Esc close/],
		[esc, foot.instances],
		['a', /destroy/],
		[esc, foot.instances],
	],
};

test.each(Object.entries(tours))(
	'nothing that a service sends does more on the screens of %s than to be seen',
	async (_, steps) => {
		await using service = await openHarmfulService();
		await using rentty = await openFleetConsole({url: service.url, key: 'k'}, look);
		for (const [keys, seen] of steps) {
			if (keys === later) await rentty.pass(690);
			else rentty.type(keys);
			await rentty.reads(seen);
		}
		expect(foreignIn(rentty.written())).toEqual([]);
	},
);
