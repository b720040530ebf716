import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {noProfileSwitcher} from '../../../source/console/services/profile-switcher.ts';
import {firstFrame} from '../../../source/console/app/first-frame.ts';
import {openConsole} from '../../../source/console/app/open.tsx';
import {createStage, type ConsoleOptions} from '../../../source/console/app/stage.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';
import type {Profile} from '../../../source/renter/profiles/profile.ts';
import {defaultSettings, type Settings} from '../../../source/renter/settings/default-settings.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {createSettingsStore} from '../../helpers/settings-store.ts';
import {openTestTerminal} from '../../helpers/console/terminal.ts';
import {plain, swedish} from '../screens/offers/some-offers.ts';

type Given = Partial<
	Pick<ConsoleOptions, 'welcome' | 'problem' | 'switcher' | 'start' | 'service'>
> & {
	readonly settings?: Partial<Settings>;
	readonly environment?: Readonly<Record<string, string>>;
};

const kept = {at: Date.UTC(2026, 0, 2, 3, 4, 5), offers: [plain, swedish]};

/** The console as a session begins it: first the frame of last time, then all that draws. */
function begin(columns: number, rows: number, given: Given = {}, seen: typeof kept | null = kept) {
	const {settings, environment = {LANG: 'C.UTF-8', TERM: 'xterm-256color'}, ...more} = given;
	const terminal = openTestTerminal({columns, rows});
	const options: ConsoleOptions = {
		terminal: {...terminal.terminal, measureLink: () => {}},
		service: {name: 'practice', isPractice: true},
		client: async () => new Promise(() => {}),
		settings: createSettingsStore({...defaultSettings, ...settings}),
		memory: {recall: () => seen ?? undefined, remember: async () => {}},
		theme: looks => createTheme(environment, looks),
		environment,
		run: async () => ({kind: 'ended', code: 0}),
		fillTmux: async () => {},
		now: () => new Date(2026, 10, 21, 12, 41, 7),
		...more,
	};
	const stage = createStage(options);
	const frame = firstFrame(stage, options);
	if (frame !== undefined) terminal.terminal.screen.draw(frame);
	return {...terminal, frame, stage, open: () => openConsole(options, stage)};
}

const profile: Profile = {
	name: 'work',
	url: 'https://example.net',
	key: {kind: 'file', file: '/nowhere'},
	mode: 'read-only',
	colour: 'red',
	settings: {},
};

const own = {
	...defaultSettings.columns,
	offers: {set: 'wide', visible: {id: false}, order: ['gpu_ram'], widths: {}},
} as const;
const command = {
	name: 'look',
	key: 'f',
	screen: 'offers',
	command: ['true'],
	runs: 'aside',
	asks: false,
} as const;

test.each<readonly [name: string, columns: number, rows: number, given: Given]>([
	['at 80x24', 80, 24, {}],
	['beside its pane', 140, 40, {}],
	['on a narrow screen', 60, 16, {}],
	['in ASCII without colours', 80, 24, {environment: {LANG: 'C', NO_COLOR: '1'}}],
	['with a welcome', 80, 24, {welcome: 'r rents, Enter looks.'}],
	['with what is wrong', 80, 24, {problem: createStore('The file cannot be read. '.repeat(5))}],
	[
		'of a profile that is only read',
		140,
		40,
		{
			switcher: {...noProfileSwitcher(Date.now), target: {kind: 'profile', profile}},
			service: {name: 'work', isPractice: false, mode: 'RO'},
		},
	],
	[
		'with columns, keys, commands and watches of their own',
		140,
		40,
		{
			settings: {
				columns: own,
				keys: {'offers.watch-this-search': 'M'},
				commands: [command],
				searches: [{name: 'pairs', words: 'gpus=2'}],
				watches: [{words: 'gpus=2', below: 0.5}],
			},
		},
	],
])(
	'the first frame %s is the one that is drawn afterwards: not a byte is written again',
	async (_, columns, rows, given) => {
		using console = begin(columns, rows, given);
		expect(await console.shown()).toMatch(/2 offers from .* searching/);
		const {bytes} = console.terminal.screen;
		const screen = console.open();
		await expect.poll(() => console.stage.keymap.reachable().length).toBeGreaterThan(3);
		await nextTurn();
		await nextTurn();
		expect(console.terminal.screen.bytes).toBe(bytes);
		console.type('j');
		await console.sees(/ 2 of 2/);
		expect(console.terminal.screen.bytes - bytes).toBeLessThan(bytes / 2);
		screen.leave();
	},
);

test.each<readonly [name: string, given: Given, seen: typeof kept | null]>([
	['another screen is wanted', {start: {name: 'profiles'}}, kept],
	['nothing is kept', {}, null],
	['what is kept has no offer', {}, {...kept, offers: []}],
])('there is no first frame of last time where %s', (_, given, seen) => {
	using console = begin(80, 24, given, seen);
	expect(console.frame).toBeUndefined();
});
