/** `rentty guard`: keeps leases without a screen. */
import {UsageError} from '../../renter/text/usage-error.ts';
import {type Command, type Context, yesOption} from '../base/command.ts';
import {guardStatusText, readGuard} from '../../renter/leases/guard-status.ts';
import {exitCodes} from '../base/failure.ts';

// Completions load this table, and need not wait for the code that reads stored polls.
const subcommands = {
	run: async (context: Context) => (await import('./run.ts')).runGuard(context),
	install: async (context: Context) => (await import('./install.ts')).installGuard(context),
	status: showGuard,
} as const;

export const guard: Command = {
	name: 'guard',
	summary: 'end instances when their leases end, without a screen',
	takes: 'run|install|status',
	isAboutInstances: true,
	about: [
		'run watches the instances of one or several profiles, on any machine that stays on, and ends those',
		'whose leases say so: never on one look, and with a line of the journal for each. Of two guards',
		'that share a folder one acts. install has systemd start it, or cron; status says what it does.',
	],
	options: {
		profiles: {
			value: 'NAMES',
			about: 'the profiles to watch, with commas (default: the chosen one)',
		},
		every: {value: 'SECONDS', about: 'how often to look (default 30, at most 60)'},
		alone: {about: 'end at once where another guard of this folder acts'},
		...yesOption,
	},
	async run(context) {
		const [word = '', ...others] = context.words;
		const subcommand = Object.entries(subcommands).find(([name]) => name === word)?.[1];
		if (subcommand === undefined || others.length > 0) {
			throw new UsageError('rentty guard takes run, install or status.');
		}
		return subcommand(context);
	},
};

async function showGuard({folders, output, isJson, now}: Context): Promise<number> {
	const running = await readGuard(folders.state);
	if (running === undefined) {
		if (isJson) output.json({runs: false});
		else output.line('No guard runs: rentty guard install has one started.');
		return exitCodes.notFound;
	}
	const {host, pid, since, rssMb, profiles} = running;
	if (isJson) {
		output.json({runs: true, host, pid, since, rssMb, profiles: Object.fromEntries(profiles)});
		return exitCodes.fine;
	}
	output.line(`A guard runs on ${host} as process ${pid}, with ${String(rssMb)} MB.`);
	for (const name of profiles.keys()) {
		output.line(`  ${name}: ${guardStatusText(running, name, now())}`);
	}
	return exitCodes.fine;
}
