/** `rentty practice`: where the practice market keeps its files, and their removal. */
import {UsageError} from '../renter/text/usage-error.ts';
import type {Command, Context} from './command.ts';
import {yesOption} from './consent.ts';

export const practice: Command = {
	name: 'practice',
	summary: 'remove all that the practice market has kept',
	takes: 'reset',
	about: [
		'Removes the practice market: its offers, its account, everything that was rented there and all',
		'files of its instances. The next start makes a new one. It asks first.',
	],
	options: yesOption,
	run,
};

/** Removal code is loaded on demand: a shell loads the table of commands at every Tab. */
async function run(context: Context): Promise<number> {
	const {words} = context;
	if (words.length !== 1 || words[0] !== 'reset') {
		throw new UsageError('rentty practice takes one word: reset.');
	}
	const {resetPractice} = await import('./practice-reset.ts');
	return resetPractice(context);
}
