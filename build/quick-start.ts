import {RolldownMagicString} from 'rolldown';
import type {Plugin} from 'rolldown';

type Patch = {
	readonly file: RegExp;
	/** Texts of the package, and what stands for them in the bundle. */
	readonly swaps: ReadonlyArray<readonly [from: string, to: string]>;
};

// Latin, punctuation, currency, arrows, box drawing, blocks, braille and private use: one column each.
const narrow = String.raw`/^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027\u2030-\u205E\u20A0-\u20BF\u2190-\u21FF\u2500-\u25FC\u2800-\u28FF\uE000-\uF8FF]*$/`;

const patches: readonly Patch[] = [
	{
		// It fetches its own data: URL, for which Node loads its whole HTTP stack: 20 ms and 14 MB.
		file: /yoga-layout[/\\]dist[/\\]binaries[/\\]yoga-wasm-base64-esm\.js$/,
		swaps: [['"function"!=typeof fetch', '!0']],
	},
	{
		// HTTP/2 is asked of no service, and Node's own takes 10 MB.
		file: /undici[/\\]lib[/\\]dispatcher[/\\]client\.js$/,
		swaps: [["require('./client-h2.js')", 'undefined']],
	},
	{
		file: /string-width[/\\]index\.js$/,
		swaps: [
			// Widens the quick path to what tables are made of.
			[String.raw`/^[\u0020-\u007E]*$/`, narrow],
			// The table behind this property takes 11 ms to parse, wherever it stands and used or not.
			[
				String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`,
				String.raw`let emoji; const rgiEmojiRegex = {test: text => (emoji ??= new RegExp('^\\p{RGI_Emoji}$', 'v')).test(text)};`,
			],
		],
	},
];

/**
 * Keeps from the start of the program what its first frame does not need. A package that changes
 * so that a text is gone, or that is gone itself, fails the build.
 */
export const quickStart: Plugin = {
	name: 'quick-start',
	buildStart: () => patched.clear(),
	transform: {
		filter: {id: patches.map(({file}) => file)},
		handler(code, id) {
			const patch = patches.find(({file}) => file.test(id));
			if (patch === undefined) return null;
			patched.add(patch);
			// It knows which line of the package each part of the new text is from.
			const text = new RolldownMagicString(code, {filename: id});
			for (const [from, to] of patch.swaps) {
				if (!code.includes(from)) throw new Error(`${id} does not contain ${from}`);
				text.replaceAll(from, to);
			}
			return {code: text};
		},
	},
	buildEnd(error) {
		const lost = patches.filter(patch => !patched.has(patch));
		if (error === undefined && lost.length > 0) {
			throw new Error(`nothing is like ${lost.map(({file}) => file.source).join(', ')}`);
		}
	},
};

const patched = new Set<Patch>();
