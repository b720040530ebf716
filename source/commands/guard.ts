/** `rentty guard`: keeps leases without a screen. */
import {join} from 'node:path';
import {UsageError} from '../renter/usage-error.ts';
import type {Command, Context} from './command.ts';
import {yesOption} from './consent.ts';
import {installGuard} from './guard-install.ts';
import {runGuard} from './guard-run.ts';
import {isRecord} from '../contract/json.ts';
import {readLeader} from '../renter/leases/leadership.ts';
import {exitCodes} from './failure.ts';

const subcommands = {run: runGuard, install: installGuard, status: showGuard} as const;

export const guard: Command = {
	name: 'guard',
	summary: 'end instances when their leases end, without a screen',
	takes: 'run|install|status',
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
	const leader = await readLeader(join(folders.state, 'guard.json'));
	if (leader === undefined) {
		if (isJson) output.json({runs: false});
		else output.line('No guard runs: rentty guard install has one started.');
		return exitCodes.notFound;
	}
	const {host, pid, status} = leader;
	if (isJson) {
		output.json({runs: true, host, pid, ...status});
		return exitCodes.fine;
	}
	output.line(`A guard runs on ${host} as process ${pid}, with ${String(status['rssMb'])} MB.`);
	const profiles = isRecord(status['profiles']) ? status['profiles'] : {};
	for (const [name, profile] of Object.entries(profiles)) {
		if (isRecord(profile)) output.line(`  ${name}: ${profileText(profile, now())}`);
	}
	return exitCodes.fine;
}

function profileText(
	{heardAt, instances, ending, problem}: Readonly<Record<string, unknown>>,
	now: number,
): string {
	const trouble = typeof problem === 'string' ? [problem] : [];
	if (typeof heardAt !== 'number') return ['not heard yet', ...trouble].join(', ');
	const heard = `heard ${Math.max(0, Math.round((now - heardAt) / 1000))} s ago`;
	const counts = `${String(ending)} of ${String(instances)} instances have an end`;
	return [heard, counts, ...trouble].join(', ');
}
