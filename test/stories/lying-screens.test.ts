import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {defaultSettings} from '../../source/renter/settings/default-settings.ts';
import {openFleetConsole} from '../helpers/fleet-console.ts';
import {idsOf, lyingNames, openLying, writesOf} from '../helpers/lying-services.ts';
import {createSettingsStore} from '../helpers/settings-store.ts';
import {waitFor} from '../helpers/wait-for.ts';

type Action = {
	/** Keys, and what is seen after each of them; the last of it is the question, or why there is none. */
	readonly way: ReadonlyArray<readonly [keys: string, seen: RegExp]>;
	/** What answers a prompt; a review says itself what confirms it. */
	readonly answer?: string;
	readonly done: RegExp;
};

const actions: Readonly<Record<string, Action>> = {
	label: {
		way: [['e', /Label of \d+/]],
		answer: '-b\r',
		done: /is labelled|Whether that was changed/,
	},
	lease: {
		way: [['L', /ends by itself$/m]],
		answer: '\u0015for 6h then stop\r',
		done: /onfirmed: |lease was not set|Whether its end was changed/,
	},
	stop: {
		way: [['S', /(?:STOP|START) INSTANCE/]],
		done: /\d is (?:stopped|running|loading)/,
	},
	destroy: {
		way: [[' j x', /DESTROY 2 INSTANCES/]],
		done: /are gone|not destroyed|not known/,
	},
	rent: {
		way: [
			['1', /1 of \d/],
			['r', /Review and rent/],
			['\u001B[Fkk\r', /RENT OFFER|was asked for/],
		],
		done: /was asked for|Rented: |KEY OF INSTANCE/,
	},
};

/** There is no question, since an answer is about another record. */
const refusal = /was asked for/;

/** The ids that a question shows: in its title, or one a row. */
function idsIn(question: string): readonly number[] {
	const title = /(?:Label of|When|Rent >|RENT OFFER) (\d+)/g;
	const rows = /^[ >] ?(?:\[x\] )?(\d+) {2}/gm;
	return [title, rows].flatMap(each => [...question.matchAll(each)].map(([, id]) => Number(id)));
}

/** The key, or the text and Enter, by which a review is confirmed. */
function confirmation(question: string): string {
	const [, text] = /type: (.+?)(?: or the last .*)? *$/m.exec(question) ?? [];
	return text === undefined ? 'y' : `${text}\r`;
}

test.for(lyingNames)(
	'nothing that the screens write to the service %s names an id that its question did not show',
	async name => {
		await using service = await openLying(name);
		const settings = createSettingsStore({...defaultSettings, templateHash: service.templateHash});
		await using rentty = await openFleetConsole(service, {columns: 120, rows: 40, settings});
		const press = async (text: string) => {
			for (const key of text.match(/\p{Cc}\[[A-Z]|[^]/gu) ?? []) {
				rentty.type(key);
				await setImmediate();
			}
		};
		/** What nothing was written for. */
		const silent: string[] = [];
		const areOdd = name === 'odd' || name === 'one-odd-field';
		for (const [action, {way, answer, done}] of Object.entries(actions)) {
			// What odd offers and templates say is not enough to rent by.
			if (areOdd && action === 'rent') continue;
			const before = service.requests.length;
			let question = '';
			for (const [keys, seen] of way) {
				await press(keys);
				question = await rentty.reads(seen);
			}
			if (!refusal.test(question)) await press(answer ?? confirmation(question));
			await waitFor(async () => {
				await rentty.pass(1);
				expect(await rentty.shown()).toMatch(done);
			});
			const written = writesOf(service.requests.slice(before));
			const ids = idsIn(question);
			for (const one of written) expect(ids).toEqual(expect.arrayContaining([...idsOf(one)]));
			if (written.length === 0) silent.push(action);
		}
		expect(silent).toEqual(name === 'answers-with-another-id' ? ['label', 'lease', 'rent'] : []);
	},
);
