/** Has node-pty take its native part from the assets of the single executable. */
import {join} from 'node:path';
import type {Plugin} from 'rolldown';

const native = join(import.meta.dirname, 'native-part.ts');

/** node-pty finds files of other packages by their names, and there are none beside the executable. */
const swaps = [
	['require("./requireBinary")', `require(${JSON.stringify(native)})`],
	['require.resolve(helperPath)', "requireBinary_1.fileOf('spawn-helper')"],
] as const;

export const ownTerminals: Plugin = {
	name: 'own-terminals',
	transform: {
		filter: {id: /@lydell[/\\]node-pty[/\\]unixTerminal\.js$/},
		handler(code, id) {
			for (const [from] of swaps) {
				if (!code.includes(from)) throw new Error(`${id} does not contain ${from}`);
			}
			return {
				code: swaps.reduce((text, [from, to]) => text.replace(from, () => to), code),
				map: null,
			};
		},
	},
};
