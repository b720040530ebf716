/** What offers say of a machine's ports and address, by what the market has seen. */
import {isIP} from 'node:net';
import type {Publication} from '../../contract/nouns/hosts.ts';
import type {Flag, MachineRow} from '../database/instance-tables.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Seen = Pick<MachineRow, 'reached' | 'reached_since'>;

/** Time for which a machine is reached at one address, so that the address counts as lasting. */
const STATIC_SECONDS = DAY;

type Said = {readonly ports: number; readonly isStatic: Flag | null};

/** The host's word where nothing was seen. */
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

/** Pauses between checks: after an answer, and after a first, a second and later misses. */
const AFTER_ANSWER = 600;
const AFTER_MISSES = [30, 120, 600] as const;

/** Misses after which a machine that was reached counts as one that is not. */
const MISSES = 2;

type Checks = Pick<
	MachineRow,
	'reached' | 'reached_since' | 'reach_misses' | 'reach_checked_at' | 'reach_due_at'
>;

/** A machine after a check. */
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

export type Door = {readonly address: string; readonly port: number; readonly word: string};

/** Where a machine says that it is reached: an address, never a name, and a port that it declared. */
export function doorOf({facts, reach}: Pick<Publication, 'facts' | 'reach'>): Door | undefined {
	const address = facts.public_ipaddr ?? '';
	return reach === undefined || isIP(address) === 0 ? undefined : {address, ...reach};
}

/** The same, of the publication that is kept of a machine. */
export function keptDoor(publication: string | null): Door | undefined {
	if (publication === null) return undefined;
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	return doorOf(JSON.parse(publication) as Pick<Publication, 'facts' | 'reach'>);
}

/** Shortest pause between checks of a machine, however often its host publishes it anew. */
const LEAST_PAUSE = 60;

type Before = Pick<MachineRow, 'publication' | 'reached' | 'reach_due_at' | 'reach_checked_at'>;

/**
 * What a publication changes of the checks: another door is looked at soon, and one that is gone counts
 * as closed.
 */
export function afterPublication(
	machine: Before | undefined,
	door: Door | undefined,
	now: number,
): Partial<Checks> {
	if (door === undefined) {
		const wasSeen = machine !== undefined && machine.reached !== null;
		return wasSeen ? {...unseen, reached: 0} : {...unseen, reach_due_at: now};
	}
	if (machine === undefined) return {reach_due_at: now};
	const before = keptDoor(machine.publication);
	const isSame = JSON.stringify(door) === JSON.stringify(before);
	if (isSame && machine.reach_due_at !== null) return {};
	const soonest = (machine.reach_checked_at ?? -Infinity) + LEAST_PAUSE;
	const isMoved = door.address !== before?.address;
	return {reach_due_at: Math.max(now, soonest), ...(isMoved && {reached_since: null})};
}

const unseen = {reached_since: null, reach_due_at: null} as const;
