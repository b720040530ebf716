/** `rentty practice`: the files of the practice market, and their removal. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {UsageError} from '../../renter/text/usage-error.ts';
import {type Command, type Context, getConsent, yesOption} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';
import {findOpen} from '../service.ts';

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

/** Removes the practice market with all its instances, unless another rentty uses it. */
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
	// Loaded on demand: a shell loads the table of commands at every Tab.
	const [{endLeftovers}, {isInUse}, {removeTree}, {ownFolder}] = await Promise.all([
		import('../../host/sandbox/ending.ts'),
		import('../../host/instance/record.ts'),
		import('../../host/machine/trees.ts'),
		import('./hosts.ts'),
	]);
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
	// A killed rentty has left its instances running.
	await endLeftovers(ownFolder(folder));
	await removeTree(folder);
	output.say('rentty: The practice market was removed. The next start makes a new one.');
	return exitCodes.fine;
}
