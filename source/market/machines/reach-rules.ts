/** Port and address fields of offers, from the market's own checks. */
import {isIP} from 'node:net';
import type {Publication} from '../../contract/nouns/hosts.ts';
import type {Flag, MachineRow} from '../database/instance-tables.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Seen = Pick<MachineRow, 'reached' | 'reached_since'>;

/** Time at one address after which it counts as static. */
const STATIC_SECONDS = DAY;

type Said = {readonly ports: number; readonly isStatic: Flag | null};

/** The host's claim, if the market has checked nothing. */
export function shownReach(
	{reached, reached_since: since}: Seen,
	{ports, isStatic}: Said,
	now: number,
): {readonly direct_port_count: number; readonly static_ip: Flag | null} {
	if (reached === null) return {direct_port_count: ports, static_ip: isStatic};
	if (reached === 0) return {direct_port_count: 0, static_ip: 0};
	const isLasting = since !== null && now - since >= STATIC_SECONDS;
	return {direct_port_count: ports, static_ip: isLasting ? 1 : 0};
}

/** Pauses between checks: after a success, and after a first, a second and later failures. */
const AFTER_ANSWER = 600;
const AFTER_MISSES = [30, 120, 600] as const;

/** Consecutive failures after which a reachable machine counts as unreachable. */
const MISSES = 2;

type Checks = Pick<
	MachineRow,
	'reached' | 'reached_since' | 'reach_misses' | 'reach_checked_at' | 'reach_due_at'
>;

export function afterCheck(
	{
		reached,
		reached_since: since,
		reach_misses: before,
	}: Omit<Checks, 'reach_due_at' | 'reach_checked_at'>,
	answered: boolean,
	now: number,
): Checks {
	if (answered) {
		const kept = reached === 1 ? since : null;
		return {
			reached: 1,
			reached_since: kept ?? now,
			reach_misses: 0,
			reach_checked_at: now,
			reach_due_at: now + AFTER_ANSWER,
		};
	}
	const misses = before + 1;
	const isStill = reached === 1 && misses < MISSES;
	const pause = AFTER_MISSES[Math.min(misses, AFTER_MISSES.length) - 1] ?? AFTER_ANSWER;
	return {
		reached: isStill ? 1 : 0,
		reached_since: isStill ? since : null,
		reach_misses: misses,
		reach_checked_at: now,
		reach_due_at: now + pause,
	};
}

export type TestPort = {readonly address: string; readonly port: number; readonly word: string};

/** Test port of a publication: an IP address, never a name, and a declared port. */
export function testPortOf({
	facts,
	reach,
}: Pick<Publication, 'facts' | 'reach'>): TestPort | undefined {
	const address = facts.public_ipaddr ?? '';
	return reach === undefined || isIP(address) === 0 ? undefined : {address, ...reach};
}

export function storedTestPort(publication: string | null): TestPort | undefined {
	if (publication === null) return undefined;
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return testPortOf(JSON.parse(publication) as Pick<Publication, 'facts' | 'reach'>);
}

/** Shortest pause between checks of a machine, however often its host publishes it anew. */
const LEAST_PAUSE = 60;

type Before = Pick<MachineRow, 'publication' | 'reached' | 'reach_due_at' | 'reach_checked_at'>;

/**
 * Effect of a publication on the checks: a new test port is checked soon, and a removed one counts
 * as closed.
 */
export function afterPublication(
	machine: Before | undefined,
	door: TestPort | undefined,
	now: number,
): Partial<Checks> {
	if (door === undefined) {
		const wasSeen = machine !== undefined && machine.reached !== null;
		return wasSeen ? {...unseen, reached: 0} : {...unseen, reach_due_at: now};
	}
	if (machine === undefined) return {reach_due_at: now};
	const before = storedTestPort(machine.publication);
	const isSame = JSON.stringify(door) === JSON.stringify(before);
	if (isSame && machine.reach_due_at !== null) return {};
	const soonest = (machine.reach_checked_at ?? -Infinity) + LEAST_PAUSE;
	const isMoved = door.address !== before?.address;
	return {reach_due_at: Math.max(now, soonest), ...(isMoved && {reached_since: null})};
}

const unseen = {reached_since: null, reach_due_at: null} as const;
