/** `rentty upgrade`: replaces the single executable by a newer one that its own key has signed. */
import {UsageError} from '../../renter/text/usage-error.ts';
import {type Command, type Context, yesOption} from '../base/command.ts';

export const upgrade: Command = {
	name: 'upgrade',
	summary: 'replace rentty by a newer release',
	takes: '',
	about: [
		'Looks for a newer release, asks, compares its signature with the key that this rentty came with,',
		'and takes its own place only once the new one starts. Where npm or a package manager has',
		'installed rentty, it says which command does it.',
	],
	options: {
		from: {value: 'PLACE', about: 'the URL or folder of a release'},
		older: {about: 'go back to a release that is older than this rentty'},
		...yesOption,
	},
	run,
};

/** Upgrade code is loaded on demand: a shell loads the table of commands at every Tab. */
async function run(context: Context): Promise<number> {
	if (context.words.length > 0) throw new UsageError('rentty upgrade takes no words.');
	const {upgradeSingle} = await import('./single.ts');
	return upgradeSingle(context);
}
