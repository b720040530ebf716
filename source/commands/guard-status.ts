/** `rentty guard status`: what the guard of this folder does. */
import {join} from 'node:path';
import {isRecord} from '../contract/json.ts';
import {readLeader} from '../renter/leases/leadership.ts';
import type {Context} from './command.ts';
import {exitCodes} from './failure.ts';

export async function showGuard({folders, output, isJson, now}: Context): Promise<number> {
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
