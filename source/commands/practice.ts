/** `rentty practice`: where the practice market keeps its files, and their removal. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {UsageError} from '../console/options.ts';
import {endLeftovers} from '../host/local/leftovers.ts';
import {isInUse} from '../host/local/lock.ts';
import {removeTree} from '../host/local/trees.ts';
import type {Command, Context} from './command.ts';
import {getConsent, yesOption} from './consent.ts';
import {CommandError, exitCodes} from './failure.ts';
import {findOpen} from './open-practice.ts';
import {ownFolder} from './practice-hosts.ts';

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

async function run(context: Context): Promise<number> {
	const {words, output, folders} = context;
	if (words.length !== 1 || words[0] !== 'reset') {
		throw new UsageError('rentty practice takes one word: reset.');
	}
	const folder = join(folders.data, 'practice');
	if (!existsSync(folder)) {
		output.say('rentty: There is no practice market to remove.');
		return exitCodes.fine;
	}
	if ((await findOpen(folder)) !== undefined || (await isInUse(ownFolder(folder)))) {
		throw new CommandError(
			exitCodes.failed,
			'The practice market is open in another rentty. Quit that first. Nothing was removed.',
		);
	}
	await getConsent(context, {
		lines: [
			`This removes ${folder}: the practice market with all that was rented there, files included.`,
		],
		question: 'Remove it?',
	});
	// A rentty that was killed has left its instances running.
	await endLeftovers(ownFolder(folder));
	await removeTree(folder);
	output.say('rentty: The practice market was removed. The next start makes a new one.');
	return exitCodes.fine;
}
