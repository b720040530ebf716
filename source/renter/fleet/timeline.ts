/** The boot of an instance as steps, each with its actual, usual and longest time. */
import {loadingLimits, type Sight} from '../instance/condition.ts';
import {madeAt} from '../instance/times.ts';
import type {Observation} from '../instance/observations.ts';
import {MINUTE_MS} from '../../contract/rules/durations.ts';

export type StartStep = {
	readonly name: 'accepted' | 'provisioning' | 'loading' | 'running' | 'ssh answers';
	/**
	 * Start of the step in milliseconds since 1970; undefined if it did not begin, or was not
	 * observed.
	 */
	readonly at: number | undefined;
	/** Duration; while the step lasts, its duration so far. */
	readonly lasted: number | undefined;
	readonly isNow: boolean;
	readonly usualMs: number | undefined;
	readonly limitMs: number | undefined;
};

/** The last boot of an instance, from the order to the answer of SSH. */
export function timelineOf(sight: Sight): readonly StartStep[] {
	const {instance, observation, limits, usualMs, now} = sight;
	const boot = lastBoot(observation);
	const made = madeAt(instance, now);
	const step = (
		name: StartStep['name'],
		at: number | undefined,
		until: number | undefined,
	): StartStep => ({
		name,
		at,
		lasted: at === undefined ? undefined : Math.max(0, (until ?? now) - at),
		isNow: at !== undefined && until === undefined,
		usualMs: undefined,
		limitMs: undefined,
	});
	const after = boot.running ?? boot.end;
	return [
		{...step('accepted', boot.isFirst ? made : undefined, made), lasted: undefined, isNow: false},
		{
			...step('provisioning', boot.provisioning, boot.loading ?? after),
			limitMs: limits.nullStuckMinutes * MINUTE_MS,
		},
		{
			...step('loading', boot.loading, after),
			usualMs,
			limitMs: loadingLimits(limits, usualMs).stuckMs,
		},
		step('running', boot.running, boot.end),
		step('ssh answers', observation.sshAnsweredAt, boot.end),
	];
}

type Boot = {
	readonly provisioning: number | undefined;
	readonly loading: number | undefined;
	readonly running: number | undefined;
	/** Time at which it left all of these states. */
	readonly end: number | undefined;
	/** True if no earlier state is known. */
	readonly isFirst: boolean;
};

/** The phases of the last boot: those after the last state outside a boot. */
function lastBoot({phases}: Observation): Boot {
	const last = phases.findLastIndex(({status}) => isOfBoot(status));
	const before = phases.findLastIndex(({status}, at) => at < last && !isOfBoot(status));
	const boot = phases.slice(before + 1, last + 1);
	const since = (wanted: string | null) => boot.find(({status}) => status === wanted)?.since;
	return {
		provisioning: since(null),
		loading: since('loading'),
		running: since('running'),
		end: phases[last + 1]?.since,
		isFirst: before === -1,
	};
}

function isOfBoot(status: string | null): boolean {
	return status === null || status === 'loading' || status === 'running';
}
