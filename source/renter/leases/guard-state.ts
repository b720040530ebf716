/**
 * Polls of a guard, stored for the next one: they remain evidence if two clocks agree on the time
 * between.
 */
import * as z from 'zod/mini';
import {
	passedBy,
	TOLERANCE_MS,
	type Clocks,
	type Counted,
	MOST_APART_MS,
	type Sighting,
} from './decide.ts';
import type {KeptSightings} from './sightings.ts';
import type {ResumedState, WatchedLease} from './watched.ts';

/** Most polls stored of an instance: enough for two that are ten seconds apart. */
const MOST_KEPT = 16;

const moment = {date: z.number(), steady: z.number()};
const counted = z.object({
	...moment,
	wall: z.number(),
	time: z.number(),
	apartSince: z.optional(z.number()),
	evenSince: z.number(),
	settledAt: z.optional(z.number()),
});
const sighting = z.object({
	...moment,
	startDate: z.optional(z.number()),
	isStopped: z.boolean(),
	idle: z.optional(z.object({from: z.object(moment), looks: z.number()})),
	cost: z.optional(z.number()),
	costAtMost: z.optional(z.number()),
});
/**
 * Fields that the next poll compares; the rest of a record may contain secrets, and is not stored.
 */
const compared = z.object({
	id: z.number(),
	actual_status: z.nullish(z.string()),
	start_date: z.nullish(z.number()),
	uptime_mins: z.nullish(z.number()),
	disk_usage: z.nullish(z.number()),
	dph_base: z.nullish(z.number()),
	dph_total: z.nullish(z.number()),
	credit_discount: z.nullish(z.number()),
	storage_total_cost: z.nullish(z.number()),
});
const keptPoll = z.object({
	id: z.number(),
	leaseText: z.string(),
	endsAt: z.optional(z.number()),
	clock: counted,
	sightings: z.array(sighting),
	record: z.optional(compared),
	cost: z.optional(z.number()),
	bytes: z.optional(z.number()),
	warned: z.nullable(z.number()),
	isCostSaid: z.optional(z.boolean()),
	dearest: z.optional(z.number()),
	isTimely: z.optional(z.boolean()),
	isByDate: z.optional(z.boolean()),
});
const keptPolls = z.object({clock: counted, looks: z.array(keptPoll)});

type KeptPoll = z.infer<typeof keptPoll>;

/** @param clock the clocks of the last poll of a complete list */
export function serializeGuardState(
	clock: Counted,
	all: Iterable<readonly [id: number, watched: WatchedLease]>,
): string {
	const polls = [...all].flatMap(([id, {history, held: _held, ...watched}]) => {
		if (history.record === undefined || watched.clock === undefined) return [];
		const sightings = history.sightings.slice(-MOST_KEPT);
		return [
			{...watched, id, sightings, record: compared.parse(history.record), cost: history.cost},
		];
	});
	return JSON.stringify({clock, looks: polls});
}

/** Polls of the previous guard; none if unreadable. */
export function parseGuardState(text: string) {
	const {clock, looks} = parsed(text) ?? {clock: undefined, looks: []};
	const byId = new Map(looks.map(poll => [poll.id, poll]));
	return {
		clock: (now: Clocks): Counted | undefined => clock && resumption(clock, now).clock,
		/** Returns the stored poll of an instance, and forgets it. */
		take(id: number, now: Clocks): ResumedState | undefined {
			const poll = byId.get(id);
			byId.delete(id);
			return poll && resumed(poll, now);
		},
	};
}

function parsed(text: string): z.infer<typeof keptPolls> | undefined {
	try {
		return keptPolls.parse(JSON.parse(text));
	} catch {
		// Without saved polls a guard starts from scratch, as on its first start.
		return undefined;
	}
}

/** Earlier moments on the steady clock of this process. */
function resumption(before: Counted | z.infer<typeof counted>, now: Clocks) {
	const gaps = [now.date - before.date, now.wall - before.wall] as const;
	const passed = passedBy(gaps);
	const shift = now.steady - passed - before.steady;
	const clock: Counted = {
		...before,
		steady: before.steady + shift,
		apartSince: before.apartSince === undefined ? undefined : before.apartSince + shift,
		evenSince: before.evenSince + shift,
		settledAt: before.settledAt && before.settledAt + shift,
	};
	const areAgreed = Math.min(...gaps) >= 0 && Math.abs(gaps[0] - gaps[1]) <= TOLERANCE_MS;
	return {clock, shift, areAgreed, isShort: areAgreed && passed <= MOST_APART_MS};
}

function resumed(poll: KeptPoll, now: Clocks): ResumedState {
	const {leaseText, endsAt, cost, bytes, warned, isCostSaid, dearest, isTimely, isByDate} = poll;
	const {clock, shift, areAgreed, isShort} = resumption(poll.clock, now);
	const history: KeptSightings = {
		sightings: areAgreed ? poll.sightings.map(one => shifted(one, shift)) : [],
		// After a long gap, the record tells nothing about activity in between.
		record: isShort ? poll.record : undefined,
		cost,
		isMeasured: false,
	};
	return {
		leaseText,
		endsAt,
		clock,
		history,
		bytes,
		warned: warned ?? Infinity,
		isCostSaid,
		dearest,
		isTimely,
		isByDate,
	};
}

function shifted(one: KeptPoll['sightings'][number], shift: number): Sighting {
	const {date, steady, startDate, isStopped, idle, cost, costAtMost} = one;
	const from = idle && {...idle.from, steady: idle.from.steady + shift};
	return {
		date,
		steady: steady + shift,
		startDate,
		isStopped,
		idle: idle && from && {from, looks: idle.looks},
		cost,
		costAtMost,
	};
}
