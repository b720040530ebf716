/** What is done on screens before a service that lies, with what each of it sent. */
import {withoutBox} from './box.ts';
import {setImmediate} from 'node:timers/promises';
import {expect} from 'vitest';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {openFleetConsole} from './fleet-console.ts';
import {idsOf, openLying, writesOf, type lyingNames} from '../services/lying-services.ts';
import {createSettingsStore} from '../settings-store.ts';
import {waitFor} from '../wait-for.ts';

export type Action = {
	/** Keys, and what is seen after each of them; the last of it is the question, or why there is none. */
	readonly way: ReadonlyArray<readonly [keys: string, seen: RegExp]>;
	/** What answers a prompt; a review says itself what confirms it. */
	readonly answer?: string;
	readonly done: RegExp;
	/** Seconds after the answer in which it can be taken back. */
	readonly held?: number;
};

export type Actions = Readonly<Record<string, Action>>;

/** There is no question, since an answer is about another record, or the console says why not. */
const refusal = /was asked for|^Not now|Nothing was sent/m;

/** The ids that a question shows: in its title, one a row, or under the cursor where a key acts at once. */
function idsIn(question: string): readonly number[] {
	const title = /(?:Label of|When|Rent >|RENT OFFER|Of +Volume) (\d+)/g;
	const rows = /^[ >] ?(?:\[x\] )?(\d+) {2}/gm;
	const cursor = /^(\d+) (?:.*\S)? +host /gm;
	return [title, rows, cursor].flatMap(each =>
		[...question.matchAll(each)].map(([, id]) => Number(id)),
	);
}

/** The key, or the text and Enter, by which a review is confirmed. */
function confirmation(question: string): string {
	const [, text] = /type: (.+?)(?: \(or .*)?(?: or the last .*)? *$/m.exec(question) ?? [];
	return text === undefined ? 'y' : `${text}\r`;
}

/** A console before a service that says what is not so. */
export async function openLyingConsole(name: (typeof lyingNames)[number]) {
	const service = await openLying(name);
	const settings = createSettingsStore({
		...defaultSettings,
		templateHash: service.templateHash,
		lease: 'for 6h',
	});
	const rentty = await openFleetConsole(service, {columns: 120, rows: 40, settings});

	async function press(text: string): Promise<void> {
		for (const key of text.match(/\p{Cc}\[[A-Z]|[^]/gu) ?? []) {
			rentty.type(key);
			await setImmediate();
		}
	}

	/** Does one, and says whether anything was written for it: nothing but what its question showed. */
	async function act({way, answer, done, held = 0}: Action): Promise<boolean> {
		const before = service.requests.length;
		// A key that comes as soon as a screen is there was meant for the one before.
		await rentty.pass(1);
		let question = '';
		for (const [keys, seen] of way) {
			await press(keys);
			question = withoutBox(await rentty.reads(seen));
		}
		if (!refusal.test(question)) {
			// What was said of the one before is no answer to this one.
			await waitFor(async () => expect(withoutBox(await rentty.shown())).not.toMatch(done));
			await press(answer ?? confirmation(question));
		}
		await rentty.pass(held);
		await waitFor(async () => {
			await rentty.pass(1);
			expect(withoutBox(await rentty.shown())).toMatch(done);
		});
		const written = writesOf(service.requests.slice(before));
		const ids = idsIn(question);
		for (const one of written) expect(ids).toEqual(expect.arrayContaining([...idsOf(one)]));
		return written.length > 0;
	}

	return {
		requests: service.requests,
		/** Does all of them, and names those for which nothing was written. */
		async perform(actions: Actions): Promise<readonly string[]> {
			const silent: string[] = [];
			for (const [action, how] of Object.entries(actions)) {
				const hasWritten = await act(how).catch((error: unknown) => {
					throw new Error(`${action} at ${name}`, {cause: error});
				});
				if (!hasWritten) silent.push(action);
			}
			return silent;
		},
		async [Symbol.asyncDispose]() {
			await rentty[Symbol.asyncDispose]();
			await service[Symbol.asyncDispose]();
		},
	};
}

/** Finds something by its name, where no key does it. */
export const named = (words: string, seen: RegExp): Action['way'] => [
	[':', /command/],
	[words, new RegExp(`> ${words}`)],
	['\r', seen],
];
