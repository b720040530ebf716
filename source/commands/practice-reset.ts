import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {endLeftovers} from '../host/sandbox/ending.ts';
import {isInUse} from '../host/instance/record.ts';
import {removeTree} from '../host/machine/trees.ts';
import type {Context} from './command.ts';
import {getConsent} from './consent.ts';
import {CommandError, exitCodes} from './failure.ts';
import {findOpen} from './open-practice.ts';
import {ownFolder} from './practice-hosts.ts';

/** Removes the practice market with all that was rented there, unless another rentty uses it. */
export async function resetPractice(context: Context): Promise<number> {
	const {output, folders} = context;
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
